// Options of select attributes: counts the records with each option, and changes options that records have.
import { type Static, Type } from 'typebox'
import { OPTION, OPTIONS_MAX } from './attribute-types/select.ts'
import { Attribute, exampleAttribute } from './attributes.ts'
import { literals, Nullable, StrictObject, Timestamp } from './common.ts'
import { exampleTimes } from './example-values.ts'
import { OPTION_COLORS, type OptionColor } from './option-colors.ts'
import type { ApiRoutes } from './route.ts'

const Option = Type.Unsafe<string>({ ...OPTION })
const Color = Type.Unsafe<OptionColor>(literals(OPTION_COLORS))

export const OptionUse = StrictObject({
  value: Option,
  color: Color,
  records: Type.Integer({ minimum: 0, description: 'Records that have the option' }),
})
export type OptionUse = Static<typeof OptionUse>

export const OptionChange = StrictObject(
  {
    total: Type.Integer({ description: 'Records that had an option that was renamed, merged or cleared' }),
    changed: Type.Integer({ description: 'Records that have been rewritten so far' }),
    startedAt: Timestamp,
  },
  { description: 'Progress of rewriting records after a change of options' },
)
export type OptionChange = Static<typeof OptionChange>

export const OptionUses = StrictObject({
  options: Type.Array(OptionUse, { description: 'Options in order' }),
  change: Nullable(OptionChange, { description: 'null: all records are rewritten' }),
})
export type OptionUses = Static<typeof OptionUses>

const OptionEdit = StrictObject({
  value: Option,
  from: Type.Optional(
    Type.Array(Option, {
      minItems: 1,
      maxItems: OPTIONS_MAX,
      description: 'Current options that become this option: one is renamed, several are merged',
    }),
  ),
  color: Type.Optional(Color),
})
export type OptionEdit = Static<typeof OptionEdit>

export const OptionsPatch = StrictObject({
  options: Type.Array(OptionEdit, {
    minItems: 1,
    maxItems: OPTIONS_MAX,
    description: 'All options in the new order',
  }),
  clear: Type.Optional(
    Type.Array(Option, {
      maxItems: OPTIONS_MAX,
      description: 'Current options to remove. Records with these options lose the value',
    }),
  ),
})
export type OptionsPatch = Static<typeof OptionsPatch>

/** Schemas by their names in the API document. */
export const optionSchemas = { OptionUse, OptionUses, OptionChange, OptionsPatch }

export const optionRoutes = {
  listOptions: {
    at: 'GET /objects/:objectId/select-attributes/:attributeId',
    scope: 'records:read',
    summary: 'List the options of a select attribute',
    description: 'Includes the color of each option, and the number of records that have it.',
    response: { 200: OptionUses },
    example: {
      response: {
        options: [
          { value: 'Planned', color: 'indigo', records: 12 },
          { value: 'Done', color: 'green', records: 340 },
        ],
        change: { total: 340, changed: 200, startedAt: exampleTimes.updatedAt },
      },
    },
  },
  changeOptions: {
    at: 'PATCH /objects/:objectId/select-attributes/:attributeId',
    scope: 'attributes:write',
    readScope: 'attributes:read',
    summary: 'Change the options of a select attribute',
    description:
      'Adds, renames, merges, reorders, colors and removes options, also of built-in attributes. After the response, records, filters, groups and reports show the new options. Views, workflows and reports that use the old options are updated in the same request. The stored records are rewritten in the background, each with a `record.updated` event that starts no workflow. Old names stay in `config.aliases`: values and filters can still use them.',
    body: OptionsPatch,
    response: { 200: Attribute },
    errors: ['option_in_use', 'options_changing'],
    example: {
      body: { options: [{ value: 'Planned' }, { value: 'Done', from: ['Running', 'Done'], color: 'green' }] },
      response: {
        ...exampleAttribute,
        config: { options: ['Planned', 'Done'], aliases: { Running: 'Done' } },
      },
    },
  },
} satisfies ApiRoutes
