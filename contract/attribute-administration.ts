// Changes of attributes that the dashboard makes beyond the API.
import { type Static, Type } from 'typebox'
import { SelectConfig } from './attributes.ts'
import { Uuid } from './common.ts'
import { ATTRIBUTES_PER_OBJECT_MAX } from './limits.ts'

export const AttributeActivation = Type.Object(
  { isActive: Type.Boolean({ description: 'false hides its values, true shows them again' }) },
  { additionalProperties: false },
)

export const AttributeOrder = Type.Object(
  {
    ids: Type.Array(Uuid, {
      minItems: 1,
      maxItems: ATTRIBUTES_PER_OBJECT_MAX,
      description: 'Ids of attributes in their new order; those not named follow in the order they have',
    }),
  },
  { additionalProperties: false },
)

export const SelectOptions = Type.Object(
  { options: SelectConfig.properties.options },
  { additionalProperties: false },
)
export type SelectOptions = Static<typeof SelectOptions>
