// The specification's section "Attribute": the fields of an object and their types.
import { type Static, Type } from 'typebox'
import { reference } from './attribute-types/reference.ts'
import { select } from './attribute-types/select.ts'
import { ATTRIBUTE_TYPES, SLUG_PATTERN } from './attribute-types.ts'
import { Deleted, literals, Pagination, StrictObject, Timestamp, Uuid } from './common.ts'
import { exampleDeleted, exampleId, exampleTimes, exampleWhole } from './example-values.ts'
import { ATTRIBUTES_PER_OBJECT_MAX } from './limits.ts'
import { NOT_BLANK } from './not-blank.ts'
import type { OptionColor } from './option-colors.ts'
import { wholeListParams } from './paging.ts'
import type { ApiRoutes } from './route.ts'

export const AttributeType = literals(ATTRIBUTE_TYPES, {
  description:
    'Type of the values; it cannot be changed. (+) url: the address of a page. (+) member: a member of the organization. (+) domain: the host name of an organization, such as acme.com',
})
export type AttributeType = Static<typeof AttributeType>

export const Slug = Type.String({
  pattern: SLUG_PATTERN,
  description: 'snake_case name; it cannot be changed',
  examples: ['job_title'],
})

const Name = Type.String({ minLength: 1, pattern: NOT_BLANK, maxLength: 200, examples: ['Job title'] })

export interface SelectConfig {
  options: string[]
  colors?: Record<string, OptionColor>
  aliases?: Record<string, string>
}
export const SelectConfig = Type.Unsafe<SelectConfig>(select.config.schema)
const ReferenceConfig = Type.Unsafe<{ allowed_object_id: string }>(reference.config.schema)
export const CaseConfig = StrictObject(
  {
    caseSensitive: Type.Boolean({
      description:
        'false: values that differ only in upper and lower case are the same value. null in place of the config means true',
    }),
  },
  { description: '(+) Config of a unique attribute of type text, name or url' },
)
export const AttributeConfig = Type.Union([SelectConfig, ReferenceConfig, CaseConfig, Type.Null()], {
  description:
    'options for select, allowed_object_id for reference, null for every other type. (+) caseSensitive for unique attributes of type text, name and url for which it was sent',
})
export type AttributeConfig = Static<typeof AttributeConfig>

export const Attribute = StrictObject(
  {
    id: Uuid,
    objectId: Uuid,
    name: Name,
    slug: Slug,
    type: AttributeType,
    isRequired: Type.Boolean(),
    isUnique: Type.Boolean(),
    isList: Type.Boolean({ description: 'true: the value is an array of values of the type' }),
    isActive: Type.Boolean(),
    isNaming: Type.Boolean({
      description:
        '(+) true for the naming attribute of the object, whose value is the name of a record: `namingAttributeId` of the object',
    }),
    displayOrder: Type.Integer({ minimum: 0 }),
    defaultValue: Type.Unsafe<unknown>(
      Type.Unknown({
        description: '(+) The value of new records that do not name the attribute; null where there is none',
      }),
    ),
    config: AttributeConfig,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { description: 'A field of an object' },
)
export type Attribute = Static<typeof Attribute>

export const AttributeList = StrictObject({ attributes: Type.Array(Attribute), pagination: Pagination })

// Checked by the type of the attribute, as the values of records are.
const DefaultValue = Type.Optional(
  Type.Unsafe<unknown>(
    Type.Unknown({
      description:
        '(+) The value of new records that do not name the attribute, in a form that records take; null: none. Not allowed for unique attributes, reference and member',
      examples: ['Planned'],
    }),
  ),
)

export const NewAttribute = StrictObject({
  name: Name,
  type: AttributeType,
  slug: Type.Optional(Slug),
  isRequired: Type.Optional(Type.Boolean({ default: false })),
  isUnique: Type.Optional(
    Type.Boolean({ default: false, description: 'Not allowed for checkbox, address, currency and list' }),
  ),
  isList: Type.Optional(Type.Boolean({ default: false })),
  // Checked by the type of the attribute: a union would name the rules of all types.
  config: Type.Optional(Type.Unsafe<AttributeConfig>(Type.Unknown())),
  defaultValue: DefaultValue,
})
export type NewAttribute = Static<typeof NewAttribute>

export const AttributePatch = StrictObject({
  name: Type.Optional(Name),
  isRequired: Type.Optional(
    Type.Boolean({
      description:
        '(+) true: new records need a value, and none can be cleared. Records without one stay as they are until one is given',
    }),
  ),
  isUnique: Type.Optional(
    Type.Boolean({ description: '(+) Not allowed for checkbox, address, currency and list' }),
  ),
  config: Type.Optional(CaseConfig),
  defaultValue: DefaultValue,
})
export type AttributePatch = Static<typeof AttributePatch>

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

const OrderedAttributes = StrictObject(
  { attributes: Type.Array(Attribute) },
  { description: 'All attributes of an object in their order, inactive ones too' },
)

const AttributeQuery = StrictObject({
  ...wholeListParams,
  includeInactive: Type.Optional(
    Type.Boolean({ default: false, description: 'true: include inactive attributes' }),
  ),
})

const AttributeDeletionQuery = StrictObject({
  permanent: Type.Optional(
    Type.Boolean({ default: false, description: 'true: delete for good instead of moving to the trash' }),
  ),
})

/** Their names in the API document. */
export const attributeSchemas = {
  Attribute,
  AttributeType,
  AttributeConfig,
  SelectConfig,
  ReferenceConfig,
  CaseConfig,
  AttributeList,
  NewAttribute,
  AttributePatch,
  AttributeActivation,
  AttributeOrder,
  OrderedAttributes,
}

export const exampleAttribute = {
  id: exampleId(2),
  objectId: exampleId(1),
  name: 'Stage',
  slug: 'stage',
  type: 'select',
  ...{ isRequired: true, isUnique: false, isList: false, isActive: true, isNaming: false },
  displayOrder: 1,
  defaultValue: 'Planned',
  config: { options: ['Planned', 'Running', 'Done'] },
  ...exampleTimes,
}

export const attributeRoutes = {
  listAttributes: {
    at: 'GET /objects/:objectId/attributes',
    scope: 'attributes:read',
    summary: 'List attributes',
    description: 'By `displayOrder`.',
    query: AttributeQuery,
    response: { 200: AttributeList },
    example: { response: { attributes: [exampleAttribute], pagination: exampleWhole } },
  },
  getAttribute: {
    at: 'GET /objects/:objectId/attributes/:attributeId',
    scope: 'attributes:read',
    isConditional: true,
    summary: 'Get an attribute',
    response: { 200: Attribute },
    example: { response: exampleAttribute },
  },
  createAttribute: {
    at: 'POST /objects/:objectId/attributes',
    scope: 'attributes:write',
    readScope: 'attributes:read',
    summary: 'Create an attribute',
    description:
      'For custom and standard objects. `config` is required for select and reference. `slug` and `type` cannot be changed later.',
    body: NewAttribute,
    response: { 201: Attribute },
    errors: ['slug_conflict'],
    example: {
      body: {
        name: 'Stage',
        type: 'select',
        isRequired: true,
        config: { options: ['Planned', 'Running', 'Done'] },
        defaultValue: 'Planned',
      },
      response: exampleAttribute,
    },
  },
  updateAttribute: {
    at: 'PATCH /objects/:objectId/attributes/:attributeId',
    scope: 'attributes:write',
    readScope: 'attributes:read',
    summary: 'Change an attribute',
    description:
      'Built-in attributes keep their name and `isRequired`. (+) `defaultValue` is for records that are created from then on. (+) `isUnique` makes the values of a custom attribute unique, or no longer unique. Where several records have the same value, the answer is 409 `duplicate_values` with the first of these values, and nothing is changed. (+) `config` says whether the case of unique values counts; null means that it does. Where it no longer counts, and values of records differ only in case, the answer is 409 `case_conflict` in the same way. Until a change is finished, written values are unique by both rules; one of many records may be answered with 503: send it again.',
    body: AttributePatch,
    response: { 200: Attribute },
    errors: [
      'standard_object',
      'case_conflict',
      'duplicate_values',
      'options_changing',
      'wrong_state',
      'precondition_failed',
    ],
    example: { body: { name: 'Phase' }, response: exampleAttribute },
  },
  setAttributeActive: {
    at: 'PATCH /objects/:objectId/attributes/:attributeId/active',
    scope: 'attributes:write',
    readScope: 'attributes:read',
    summary: 'Switch an attribute off or on',
    description:
      'The values of an inactive attribute are kept and hidden: each record that has one gets its next version and a `record.updated` event, most of them before the response. Built-in attributes that are required stay active.',
    body: AttributeActivation,
    response: { 200: Attribute },
    errors: ['standard_object'],
    example: { body: { isActive: false }, response: { ...exampleAttribute, isActive: false } },
  },
  orderAttributes: {
    at: 'PUT /objects/:objectId/attribute-order',
    scope: 'attributes:write',
    readScope: 'attributes:read',
    summary: 'Order the attributes of an object',
    description: 'Sets `displayOrder` of all of them.',
    body: AttributeOrder,
    response: { 200: OrderedAttributes },
    example: { body: { ids: [exampleAttribute.id] }, response: { attributes: [exampleAttribute] } },
  },
  deleteAttribute: {
    at: 'DELETE /objects/:objectId/attributes/:attributeId',
    scope: 'attributes:write',
    summary: 'Delete an attribute',
    description:
      'Its values are removed from every record immediately, and each record that had one gets its next version and a `record.updated` event, most of them before the response. It stays in the trash with them for 30 days by default, and can be restored from there.',
    query: AttributeDeletionQuery,
    response: { 200: Deleted },
    errors: ['standard_object', 'options_changing', 'wrong_state', 'precondition_failed'],
    example: { response: exampleDeleted },
  },
} satisfies ApiRoutes
