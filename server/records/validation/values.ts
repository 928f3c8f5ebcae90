// Checks the data of a request against the attributes of the object and converts it to canonical form.
import type { Problem } from '../../../contract/errors.ts'
import { RECORD_BYTES_MAX } from '../../../contract/limits.ts'
import { inNfc, isBlank, singleLine, unseenHint } from '../../../contract/single-line.ts'
import { isRawNumber, type JsonValue } from '../../base/json.ts'
import { nearest } from '../../base/suggestions.ts'
import { mayBeTold } from '../../base/told-names.ts'
import { RECORD_TYPES } from '../types/types.ts'
import type { Accepted, Locale, Refusal, ValueAttribute } from '../values/attribute.ts'
import { distinctBy } from '../values/distinct.ts'
import { hasBothKeys, isCaseSensitive, otherKey, ruledKey, withoutCase } from '../values/unique-keys.ts'

export interface CheckedData {
  /** canonical values by slug, without prototype; numbers exact */
  set: Record<string, JsonValue>
  /** JSON text of `set` */
  text: string
  /** slugs given as null */
  cleared: string[]
  /** the normal form of each phone number and domain in `set`; an array where the attribute is a list */
  comparable: Record<string, string | string[]>
  /** Values in `set` with amounts without a currency, as they were sent. */
  bareAmounts: Record<string, JsonValue>
  /** record ids that `set` refers to, lower case, each once per slug */
  references: { slug: string; target: string }[]
  /** values that must be unique in the object: the normal form of each element of unique attributes in `set` */
  uniques: { slug: string; value: string }[]
  /** The same by the rule that an attribute is getting. They are claimed too, but records are not found by them. */
  otherUniques: { slug: string; value: string }[]
}

/** Every problem of data, and the references and unique values of its accepted values. */
export interface RefusedData {
  problems: Problem[]
  accepted?: Pick<CheckedData, 'references' | 'uniques' | 'otherUniques'>
}

export const ELEMENTS_MAX = 1000
/** Enough to correct any form. Keeps the response to a hostile body smaller than the body. */
export const VALUE_PROBLEMS_MAX = 100
const UNKNOWN_SLUG_CHARS_MAX = 100
const SUGGESTIONS_MAX = 3

/**
 * Checks the data of a create (missing values get their default, and every required attribute must have a value) or of
 * a patch (required values may not be cleared). `attributes` are the active ones by slug. Returns the canonical data,
 * or every problem found, up to VALUE_PROBLEMS_MAX, with paths `data`, `data.<slug>` and `data.<slug>[i]`.
 */
export function checkData(
  mode: 'create' | 'patch',
  data: unknown,
  attributes: ReadonlyMap<string, ValueAttribute>,
  locale: Locale,
): CheckedData | RefusedData {
  if (typeof data !== 'object' || data === null || Array.isArray(data) || isRawNumber(data)) {
    return {
      problems: [
        {
          path: 'data',
          code: 'invalid_type',
          message: 'must be an object of slugs and values, such as {"name":"Acme"}',
        },
      ],
    }
  }
  const { membersOfChanges } = locale
  const checking = new Checking(
    mode === 'patch' && membersOfChanges ? { ...locale, members: membersOfChanges } : locale,
  )
  for (const slug of Object.keys(data)) {
    const attribute = attributes.get(slug)
    if (attribute) checking.take(attribute, (data as Record<string, unknown>)[slug])
    else checking.refuseUnknown(slug, attributes)
  }
  if (mode === 'create') checking.complete(attributes, data)
  return checking.result()
}

/**
 * Makes an object that inherits nothing. JSON.stringify is slower for the result of Object.create(null), a hash table.
 */
function Bag(): void {
  // Fields are added by slug.
}
Bag.prototype = Object.create(null)
const newBag = (): Record<string, never> => new (Bag as unknown as new () => Record<string, never>)()

/** Most records have no values of some kinds, and share these. */
const NONE: never[] = []
const NO_FIELDS = newBag()
Object.freeze(NONE)
Object.freeze(NO_FIELDS)

/** Does not push to an empty array: that would make room for 17 elements, and most records add one. */
function added<Item>(items: Item[], item: Item): Item[] {
  if (items.length === 0) return [item]
  items.push(item)
  return items
}

/** The most bytes of a character in UTF-8. */
const CHARACTER_BYTES_MAX = 3

/** The results so far for the data of one record. */
class Checking {
  #problems: Problem[] = NONE
  readonly #checked: CheckedData = {
    set: newBag(),
    text: '',
    cleared: NONE,
    comparable: NO_FIELDS,
    bareAmounts: NO_FIELDS,
    references: NONE,
    uniques: NONE,
    otherUniques: NONE,
  }
  #hasDefaults = false
  readonly #locale: Locale

  constructor(locale: Locale) {
    this.#locale = locale
  }

  take(attribute: ValueAttribute, value: unknown): void {
    if (value === null) this.#clear(attribute)
    else if (isEmptyText(value, attribute)) this.#refuseEmptyText(attribute)
    else if (attribute.isList || attribute.type === 'list') this.#takeList(attribute, value)
    else this.#takeOne(attribute, value)
  }

  refuseUnknown(slug: string, attributes: ReadonlyMap<string, ValueAttribute>): void {
    const shown = slug.slice(0, UNKNOWN_SLUG_CHARS_MAX).toWellFormed()
    const message = 'is not an active attribute of the object: '
    const advised = () => {
      const near = nearest(slug, [...attributes.keys()])
      return message + (near === undefined ? 'leave it out' : `did you mean "${near}"?`)
    }
    this.#refuse(`data.${shown}`, { code: 'unknown_attribute', message: `${message}leave it out`, advised })
  }

  complete(attributes: ReadonlyMap<string, ValueAttribute>, data: object): void {
    for (const attribute of attributes.values()) {
      const { isRequired, defaultValue = null, slug } = attribute
      if ((!isRequired && defaultValue === null) || Object.hasOwn(data, slug)) continue
      if (!this.#takeDefault(attribute, defaultValue) && isRequired) this.#refuseEmpty(attribute)
    }
  }

  /**
   * A default that is invalid by the current rules is ignored: the request did not send it.
   * @returns whether it was taken
   */
  #takeDefault(attribute: ValueAttribute, value: JsonValue): boolean {
    if (value === null) return false
    const problems = this.#problems
    this.#problems = NONE
    this.take(attribute, value)
    const isTaken = this.#problems === NONE
    this.#hasDefaults ||= isTaken
    this.#problems = problems
    return isTaken
  }

  result(): CheckedData | RefusedData {
    if (this.#problems.length > 0) return { problems: this.#problems, accepted: this.#checked }
    const text = JSON.stringify(this.#checked.set)
    this.#checked.text = text
    if (text.length * CHARACTER_BYTES_MAX <= RECORD_BYTES_MAX || Buffer.byteLength(text) <= RECORD_BYTES_MAX)
      return this.#checked
    const advice = this.#hasDefaults
      ? 'send null for attributes whose default is not needed, or shorten texts or lists'
      : 'shorten texts or lists'
    const message = `must have at most ${RECORD_BYTES_MAX} bytes: ${advice}`
    return { problems: [{ path: 'data', code: 'too_large', message }], accepted: this.#checked }
  }

  #clear(attribute: ValueAttribute): void {
    if (attribute.isRequired) this.#refuseEmpty(attribute)
    else this.#checked.cleared = added(this.#checked.cleared, attribute.slug)
  }

  #takeOne(attribute: ValueAttribute, value: unknown): void {
    const verdict = checkOne(value, attribute, this.#locale)
    if (verdict.code === undefined) this.#keepOne(attribute, verdict)
    else this.#refuse(`data.${attribute.slug}`, verdict)
  }

  #keepOne(attribute: ValueAttribute, accepted: Accepted): void {
    const { value, normal, isBare } = accepted
    this.#checked.set[attribute.slug] = value
    if (isBare) this.#setBareAmount(attribute, asSent(accepted))
    if (normal === undefined) return
    this.#note(attribute, normal)
    if (RECORD_TYPES[attribute.type].hasComparable) this.#setComparable(attribute, normal)
  }

  #takeList(attribute: ValueAttribute, value: unknown): void {
    const { slug, type, isRequired } = attribute
    if (!Array.isArray(value)) this.#takeElements(attribute, [value], () => `data.${slug}`)
    else if (value.length === 0 && isRequired) this.#refuseEmpty(attribute)
    else if (value.length > ELEMENTS_MAX && type !== 'list') this.#refuse(`data.${slug}`, TOO_MANY_ELEMENTS)
    else this.#takeElements(attribute, value, (index) => `data.${slug}[${index}]`)
  }

  #takeElements(attribute: ValueAttribute, elements: unknown[], pathAt: (index: number) => string): void {
    const accepted: Accepted[] = []
    for (const [index, element] of elements.entries()) {
      const verdict = isEmptyElement(element, attribute)
        ? EMPTY_ELEMENT
        : checkOne(element, attribute, this.#locale)
      if (verdict.code === undefined) accepted.push(verdict)
      else this.#refuse(pathAt(index), verdict)
      if (this.#problems.length === VALUE_PROBLEMS_MAX) break
    }
    if (accepted.length === elements.length) this.#keepList(attribute, accepted)
  }

  #keepList(attribute: ValueAttribute, accepted: Accepted[]): void {
    const different = distinctBy(accepted, isCaseSensitive(attribute) ? keyOf : keyWithoutCase)
    this.#checked.set[attribute.slug] = different.map(({ value }) => value)
    if (accepted.some(({ isBare }) => isBare)) this.#setBareAmount(attribute, accepted.map(asSent))
    const normals = different.flatMap(({ normal }) => normal ?? [])
    for (const normal of normals) this.#note(attribute, normal)
    if (RECORD_TYPES[attribute.type].hasComparable) this.#setComparable(attribute, normals)
  }

  #setBareAmount({ slug }: ValueAttribute, sent: JsonValue): void {
    if (this.#checked.bareAmounts === NO_FIELDS) this.#checked.bareAmounts = newBag()
    this.#checked.bareAmounts[slug] = sent
  }

  #setComparable({ slug }: ValueAttribute, normal: string | string[]): void {
    if (this.#checked.comparable === NO_FIELDS) this.#checked.comparable = newBag()
    this.#checked.comparable[slug] = normal
  }

  #note(attribute: ValueAttribute, normal: string): void {
    const { slug, isUnique } = attribute
    const checked = this.#checked
    if (attribute.type === 'reference')
      checked.references = added(checked.references, { slug, target: normal })
    // Any number of records may have the empty text.
    if (!isUnique || normal === '') return
    checked.uniques = added(checked.uniques, { slug, value: ruledKey(attribute, normal) })
    if (hasBothKeys(attribute)) this.#noteOther(slug, otherKey(attribute, normal))
  }

  /** Elements of a list that are different by the current rule may be equal by the other rule. */
  #noteOther(slug: string, value: string): void {
    const { otherUniques } = this.#checked
    if (otherUniques.some((one) => one.slug === slug && one.value === value)) return
    this.#checked.otherUniques = added(otherUniques, { slug, value })
  }

  #refuseEmpty({ slug, name }: ValueAttribute): void {
    this.#refuse(`data.${slug}`, { code: 'required', message: `is required: send a value for ${name}` })
  }

  #refuseEmptyText(attribute: ValueAttribute): void {
    if (attribute.isRequired) this.#refuseEmpty(attribute)
    else this.#refuse(`data.${attribute.slug}`, EMPTY_TEXT)
  }

  #refuse(path: string, { code, message, advised, part }: Refusal): void {
    const count = this.#problems.length
    if (count >= VALUE_PROBLEMS_MAX) return
    // Advice names attributes and options. A request with many faults does not need it for each.
    const isAdvised = count < SUGGESTIONS_MAX && mayBeTold(this.#locale, 'attributes')
    const said = isAdvised && advised ? advised() : message
    const at = part === undefined ? path : `${path}.${part}`
    this.#problems = added(this.#problems, { path: at, code, message: said })
  }
}

/** Texts are checked in the form in which they are stored. */
function checkOne(value: unknown, attribute: ValueAttribute, locale: Locale): Accepted | Refusal {
  const { check, isMultiline } = RECORD_TYPES[attribute.type]
  if (typeof value !== 'string') return check(value, attribute, locale)
  const text = isMultiline ? inNfc(value) : singleLine(value)
  const verdict = check(text, attribute, locale)
  return verdict.code === undefined ? verdict : withUnseen(verdict, text)
}

/** Adds a hint on invisible characters: a person cannot see what is wrong with such a text. */
function withUnseen(refusal: Refusal, text: string): Refusal {
  const { code, message, advised } = refusal
  const hint = unseenHint(text)
  if (code === 'invalid_text' || hint === '') return refusal
  return { ...refusal, message: message + hint, ...(advised && { advised: () => advised() + hint }) }
}

/** Whether a value is blank text that counts as no value. */
function isEmptyText(value: unknown, { type, isList, isRequired }: ValueAttribute): boolean {
  if (typeof value !== 'string' || !isBlank(value)) return false
  return isRequired || !RECORD_TYPES[type].isMultiline || (isList && value === '')
}

const isEmptyElement = (value: unknown, attribute: ValueAttribute): boolean =>
  value === null || value === '' || isEmptyText(value, attribute)

/** Values with equal keys are equal. The key is the normal form, or the value itself. */
const keyOf = ({ value, normal }: Accepted): string => normal ?? JSON.stringify(value)

const keyWithoutCase = (accepted: Accepted): string => withoutCase(keyOf(accepted))

const asSent = ({ value, isBare }: Accepted): JsonValue =>
  isBare ? { amount: (value as { amount: JsonValue }).amount } : value

const EMPTY_TEXT: Refusal = {
  code: 'empty_text',
  message: 'must not be empty text: send null to clear it',
}
const EMPTY_ELEMENT: Refusal = {
  code: 'invalid_list',
  message: 'must not be null or empty: leave the element out',
}
const TOO_MANY_ELEMENTS: Refusal = {
  code: 'invalid_list',
  message: `must have at most ${ELEMENTS_MAX} elements: send fewer`,
}
