// The options of select attributes: how many records have each, and changing them while records have them.
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
    changed: Type.Integer({ description: 'Those that are rewritten' }),
    startedAt: Timestamp,
  },
  { description: 'The rewriting of records after a change of options' },
)
export type OptionChange = Static<typeof OptionChange>

export const OptionUses = StrictObject({
  options: Type.Array(OptionUse, { description: 'In their order' }),
  change: Nullable(OptionChange, { description: 'null: all records are rewritten' }),
})
export type OptionUses = Static<typeof OptionUses>

const OptionEdit = StrictObject({
  value: Option,
  from: Type.Optional(
    Type.Array(Option, {
      minItems: 1,
      maxItems: OPTIONS_MAX,
      description: 'Present options that become this one: one renames it, several merge them',
    }),
  ),
  color: Type.Optional(Color),
})
export type OptionEdit = Static<typeof OptionEdit>

export const OptionsPatch = StrictObject({
  options: Type.Array(OptionEdit, {
    minItems: 1,
    maxItems: OPTIONS_MAX,
    description: 'All options in their new order',
  }),
  clear: Type.Optional(
    Type.Array(Option, {
      maxItems: OPTIONS_MAX,
      description: 'Present options to remove, whose records get no value',
    }),
  ),
})
export type OptionsPatch = Static<typeof OptionsPatch>

/** Their names in the API document. */
export const optionSchemas = { OptionUse, OptionUses, OptionChange, OptionsPatch }

export const optionRoutes = {
  listOptions: {
    at: 'GET /objects/:objectId/select-attributes/:attributeId',
    scope: 'records:read',
    summary: 'List the options of a select attribute',
    description: 'With their colors, and how many records have each.',
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
      'Adds, renames, merges, reorders, colors and removes options, also of built-in attributes. From the answer on, records, filters, groups and reports show the new options; views, workflows and reports that name the old ones are changed with them. The records themselves are rewritten in the background, each with a `record.updated` event that starts no workflow. Old names stay in `config.aliases`: values and filters may still use them.',
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
