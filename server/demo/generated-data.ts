// Made-up data for records of any object, by the types of its attributes and, to look plausible, by their slugs.
// No value can reach a real person: addresses end in example.com, telephone numbers are reserved for fiction.
import type { AttributeType } from '../../contract/attribute-types.ts'
import type { ModelAttribute } from '../model/attributes/models.ts'
import { createRandom, type Random } from './random.ts'
import {
  CITIES,
  COMPANY_FIRST,
  COMPANY_SECOND,
  FIRST_NAMES,
  JOB_TITLES,
  LAST_NAMES,
  NOUNS,
  PRODUCTS,
  STREETS,
  TAGS,
} from './words.ts'

export interface Blueprint {
  objectSlug: string
  attributes: readonly ModelAttribute[]
  seed: number
  /** Part of every unique value, so that the values differ from those of existing records. */
  token: string
  /** Records or members that values may name, by the attribute's slug. */
  targets: ReadonlyMap<string, readonly string[]>
  currency: string
  /** Dates are counted back from this day. */
  today: Date
}

/** The input for one record. */
interface Scene {
  blueprint: Blueprint
  random: Random
  /** From 1, different for every record. */
  ordinal: number
  first: string
  last: string
  company: string
}

const DAY_MS = 86_400_000
const isoDay = (at: Date) => at.toISOString().slice(0, 10)

/** The end of a unique value. Other values never end with it. */
const mark = ({ ordinal, blueprint }: Scene) => `${blueprint.token}${ordinal}`

const ascii = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9 ]/g, '')
    .toLowerCase()
    .replaceAll(' ', '-')

const domainOf = (scene: Scene) => `${ascii(scene.company)}-${mark(scene)}.example.com`

type Maker<Value = unknown> = (scene: Scene, attribute: ModelAttribute) => Value

const phrase: Maker<string> = ({ random }) => {
  const text = Array.from({ length: random.integer(2, 4) }, () => random.pick(NOUNS)).join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const TEXTS: Record<string, Maker<string>> = {
  domain: domainOf,
  website: (scene) => `https://${domainOf(scene)}`,
  url: (scene) => `https://${domainOf(scene)}`,
  job_title: ({ random }) => random.pick(JOB_TITLES),
  title: ({ random }) => random.pick(JOB_TITLES),
  city: ({ random }) => random.pick(CITIES).city,
  company: ({ company }) => company,
  name: ({ company, random, blueprint }) =>
    blueprint.objectSlug === 'deals' ? `${company}: ${random.pick(PRODUCTS)}` : company,
}

const text: Maker<string> = (scene, attribute) => {
  const value = (TEXTS[attribute.slug] ?? phrase)(scene, attribute)
  return attribute.isUnique && !value.includes(mark(scene)) ? `${value} ${mark(scene)}` : value
}

/** Mostly small values, rarely large ones, like real sizes and amounts. */
const skewed = (random: Random, max: number) => Math.max(1, Math.round(max ** random.next()))

const number: Maker = (scene, { isUnique, slug }) => {
  if (isUnique)
    return `${scene.blueprint.token === '' ? '' : Number.parseInt(scene.blueprint.token, 36)}${scene.ordinal}`
  return slug === 'employees' ? skewed(scene.random, 50_000) : scene.random.integer(0, 10_000)
}

const AREA_CODES = [202, 206, 212, 303, 312, 404, 415, 503, 512, 602, 617, 702, 713, 801, 904]

const phone: Maker = (scene, { isUnique }) => {
  const { random, ordinal, blueprint } = scene
  if (!isUnique)
    return `+1 ${random.pick(AREA_CODES)}-555-01${String(random.integer(0, 99)).padStart(2, '0')}`
  const offset = blueprint.token === '' ? 0 : (Number.parseInt(blueprint.token, 36) % 1_000_000) * 7919
  return `+1${2_000_000_000 + ((offset + ordinal) % 7_999_999_999)}`
}

const name: Maker = (scene, { isUnique }) => ({
  firstName: scene.first,
  lastName: isUnique ? `${scene.last} ${mark(scene)}` : scene.last,
})

const address: Maker = ({ random }) => {
  const { city, state, postalCode } = random.pick(CITIES)
  const line1 = `${random.integer(1, 980)} ${random.pick(STREETS)} Street`
  return { line1, city, state, postalCode, country: 'US' }
}

const currency: Maker = ({ random, blueprint }) => ({
  amount: skewed(random, 500) * 250,
  currency: blueprint.currency,
})

const date: Maker = ({ random, ordinal, blueprint }, { slug, isUnique }) => {
  if (isUnique) return isoDay(new Date(Date.UTC(1900, 0, 1) + ordinal * DAY_MS))
  const days = /birth/.test(slug) ? random.integer(20 * 365, 70 * 365) : random.integer(-90, 3 * 365)
  return isoDay(new Date(blueprint.today.getTime() - days * DAY_MS))
}

const select: Maker = ({ random, ordinal }, { config, isUnique }) => {
  const options = config && 'options' in config ? config.options : []
  return isUnique ? options[(ordinal - 1) % options.length] : random.pick(options)
}

const named: Maker = ({ random, ordinal, blueprint }, { slug, isUnique }) => {
  const targets = blueprint.targets.get(slug) ?? []
  return isUnique ? targets[(ordinal - 1) % targets.length] : random.pick(targets)
}

const MAKERS: Record<AttributeType, Maker> = {
  text,
  email: (scene) => `${ascii(scene.first)}.${ascii(scene.last)}.${mark(scene)}@example.com`,
  number,
  phone_number: phone,
  checkbox: ({ random }) => random.chance(0.3),
  name,
  address,
  currency,
  date,
  select,
  list: ({ random }) => random.pick(TAGS),
  reference: named,
  url: (scene) => `https://${ascii(scene.last)}-${mark(scene)}.example.com`,
  member: named,
  domain: domainOf,
}

const ELEMENTS_MAX = 3
const FILLED = 0.9

function valueFor(scene: Scene, attribute: ModelAttribute): unknown {
  const make = () => MAKERS[attribute.type](scene, attribute)
  if (!attribute.isList && attribute.type !== 'list') return make()
  const length = attribute.isUnique ? 1 : scene.random.integer(1, ELEMENTS_MAX)
  return Array.from({ length }, make)
}

const canFill = ({ targets }: Blueprint, { type, slug }: ModelAttribute) =>
  MAKERS[type] !== named || (targets.get(slug)?.length ?? 0) > 0

/** The data of record number `ordinal`. It depends only on the blueprint and the number. */
export function generatedData(blueprint: Blueprint, ordinal: number): Record<string, unknown> {
  const random = createRandom(blueprint.seed, ordinal)
  const scene: Scene = {
    blueprint,
    random,
    ordinal,
    first: random.pick(FIRST_NAMES),
    last: random.pick(LAST_NAMES),
    company: `${random.pick(COMPANY_FIRST)} ${random.pick(COMPANY_SECOND)}`,
  }
  const data: Record<string, unknown> = {}
  for (const attribute of blueprint.attributes) {
    if (!canFill(blueprint, attribute)) continue
    const mustFill = attribute.isRequired || attribute.isUnique
    if (mustFill || random.chance(FILLED)) data[attribute.slug] = valueFor(scene, attribute)
  }
  return data
}
