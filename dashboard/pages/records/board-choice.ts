// What a board of an object is grouped by at first.
import type { Attribute } from '../../api/objects.ts'

const single =
  (type: Attribute['type']) =>
  ({ type: own, isList }: Attribute) =>
    own === type && !isList

/** A select attribute, or else a checkbox or reference; undefined: there can be no board. */
export const groupableOf = (attributes: readonly Attribute[]): Attribute | undefined =>
  attributes.find(single('select')) ??
  attributes.find(single('checkbox')) ??
  attributes.find(single('reference'))
