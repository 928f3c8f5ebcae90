// Changes of attributes that the dashboard makes beyond the API.
import { Type } from 'typebox'
import { Attribute } from './attributes.ts'
import { StrictObject, Uuid } from './common.ts'
import { ATTRIBUTES_PER_OBJECT_MAX } from './limits.ts'
import type { DashboardRoutes } from './route.ts'

export const AttributeActivation = StrictObject({
  isActive: Type.Boolean({ description: 'false hides its values, true shows them again' }),
})

export const AttributeOrder = StrictObject({
  ids: Type.Array(Uuid, {
    minItems: 1,
    maxItems: ATTRIBUTES_PER_OBJECT_MAX,
    description: 'Ids of attributes in their new order; the other attributes follow in their current order',
  }),
})

export const attributeDashboardRoutes = {
  setAttributeActive: {
    at: 'PATCH /objects/:objectId/attributes/:attributeId/active',
    scope: 'attributes:write',
    body: AttributeActivation,
    response: { 200: Attribute },
  },
  orderAttributes: {
    at: 'PUT /objects/:objectId/attribute-order',
    scope: 'attributes:write',
    body: AttributeOrder,
    response: { 200: StrictObject({ attributes: Type.Array(Attribute) }) },
  },
} satisfies DashboardRoutes
