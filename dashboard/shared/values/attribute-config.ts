// Reads the configuration of attributes, by type.
import { colorOf, OPTION_COLORS } from '../../../contract/option-colors.ts'
import type { Attribute } from '../api/objects.ts'
import { CREATORS, MEMBERS } from '../api/record-names.ts'

// A shared list, so that attributes without options have the same list in every render.
const NO_OPTIONS: readonly string[] = []

/** The options of a select attribute; none for other types. */
export const optionsOf = ({ config }: Pick<Attribute, 'config'>): readonly string[] =>
  config && 'options' in config ? config.options : NO_OPTIONS

/** The index of an option's chip tint. */
export const tintOfOption = ({ config }: Pick<Attribute, 'config'>, option: string): number =>
  OPTION_COLORS.indexOf(config && 'options' in config ? colorOf(config, option) : 'gray')

/** The id of the object that a reference points to. */
export const targetOf = ({ config }: Pick<Attribute, 'config'>): string | undefined =>
  config && 'allowed_object_id' in config ? config.allowed_object_id : undefined

/**
 * Whether this is the creator field of a record, which filters and reports use like an attribute. No real attribute has
 * this id.
 */
export const isCreator = ({ id }: Pick<Attribute, 'id'>): boolean => /(^|\.)created_by$/.test(id)

/** The object whose record ids the values are, or MEMBERS or CREATORS. undefined if the values are not ids. */
export function namedBy(attribute: Pick<Attribute, 'id' | 'type' | 'config'>): string | undefined {
  if (isCreator(attribute)) return CREATORS
  return attribute.type === 'member' ? MEMBERS : targetOf(attribute)
}

/** Options for choosing the target object of a reference. */
export const targetChoices = (objects: readonly { id: string; pluralName: string }[]) =>
  objects.map(({ id, pluralName }) => ({ value: id, label: pluralName }))
