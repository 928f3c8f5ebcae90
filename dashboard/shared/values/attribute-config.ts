// What the configuration of an attribute holds, by its type.
import { MEMBERS } from '../../../contract/attribute-types/reference.ts'
import { colorOf, OPTION_COLORS } from '../../../contract/option-colors.ts'
import type { Attribute } from '../api/objects.ts'

// One list for all that have none, so that it is the same at every drawing.
const NO_OPTIONS: readonly string[] = []

/** The options of a select; none of another type. */
export const optionsOf = ({ config }: Pick<Attribute, 'config'>): readonly string[] =>
  config && 'options' in config ? config.options : NO_OPTIONS

/** The place of an option's color among the tints of chips. */
export const tintOfOption = ({ config }: Pick<Attribute, 'config'>, option: string): number =>
  OPTION_COLORS.indexOf(config && 'options' in config ? colorOf(config, option) : 'gray')

/** The id of the object that a reference points to; MEMBERS if it points to members. */
export function targetOf({ config }: Pick<Attribute, 'config'>): string | undefined {
  if (config && 'target' in config) return config.target
  return config && 'allowed_object_id' in config ? config.allowed_object_id : undefined
}

/** The config of a reference to a target, the id of an object or MEMBERS. */
export const configTo = (target: string): NonNullable<Attribute['config']> =>
  target === MEMBERS ? { target: MEMBERS } : { allowed_object_id: target }

/** The targets to choose from: all objects, and members. */
export const targetChoices = (objects: readonly { id: string; pluralName: string }[]) => [
  ...objects.map(({ id, pluralName }) => ({ value: id, label: pluralName })),
  { value: MEMBERS, label: 'Members' },
]
