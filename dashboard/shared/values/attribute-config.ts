// What the configuration of an attribute holds, by its type.
import type { Attribute } from '../api/objects.ts'

// One list for all that have none, so that it is the same at every drawing.
const NO_OPTIONS: readonly string[] = []

/** The options of a select; none of another type. */
export const optionsOf = ({ config }: Pick<Attribute, 'config'>): readonly string[] =>
  config && 'options' in config ? config.options : NO_OPTIONS

/** The id of the object that a reference points to. */
export const targetOf = ({ config }: Pick<Attribute, 'config'>): string | undefined =>
  config && 'allowed_object_id' in config ? config.allowed_object_id : undefined
