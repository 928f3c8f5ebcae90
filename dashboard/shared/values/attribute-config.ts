// What the configuration of an attribute holds, by its type.
import { colorOf, OPTION_COLORS } from '../../../contract/option-colors.ts'
import type { Attribute } from '../api/objects.ts'
import { CREATORS, MEMBERS } from '../api/record-names.ts'

// One list for all that have none, so that it is the same at every drawing.
const NO_OPTIONS: readonly string[] = []

/** The options of a select; none of another type. */
export const optionsOf = ({ config }: Pick<Attribute, 'config'>): readonly string[] =>
  config && 'options' in config ? config.options : NO_OPTIONS

/** The place of an option's color among the tints of chips. */
export const tintOfOption = ({ config }: Pick<Attribute, 'config'>, option: string): number =>
  OPTION_COLORS.indexOf(config && 'options' in config ? colorOf(config, option) : 'gray')

/** The id of the object that a reference points to. */
export const targetOf = ({ config }: Pick<Attribute, 'config'>): string | undefined =>
  config && 'allowed_object_id' in config ? config.allowed_object_id : undefined

/** Whether it is who created a record, which filters and reports name as an attribute: no attribute has such an id. */
export const isCreator = ({ id }: Pick<Attribute, 'id'>): boolean => /(^|\.)created_by$/.test(id)

/** Of what a value is the id: of a record of an object, or of a member; undefined: of nothing. */
export function namedBy(attribute: Pick<Attribute, 'id' | 'type' | 'config'>): string | undefined {
  if (isCreator(attribute)) return CREATORS
  return attribute.type === 'member' ? MEMBERS : targetOf(attribute)
}

/** The objects that a reference may point to, to choose from. */
export const targetChoices = (objects: readonly { id: string; pluralName: string }[]) =>
  objects.map(({ id, pluralName }) => ({ value: id, label: pluralName }))
