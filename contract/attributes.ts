// The specification's section "Attribute": the fields of an object and their types.
import { type Static, Type } from 'typebox'
import { reference } from './attribute-types/reference.ts'
import { select } from './attribute-types/select.ts'
import { ATTRIBUTE_TYPES, SLUG_PATTERN } from './attribute-types.ts'
import { Deleted, flag, listOf, literals, StrictObject, Timestamp, Uuid } from './common.ts'
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
        'false: values that differ only in upper and lower case are the same value. A config of null means true',
    }),
  },
  { description: '(+) Config of a unique attribute of type text, name or url' },
)
export const AttributeConfig = Type.Union([SelectConfig, ReferenceConfig, CaseConfig, Type.Null()], {
  description:
    'select: options. reference: allowed_object_id. Other types: null. (+) caseSensitive for unique attributes of type text, name and url, if it was set',
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
        '(+) true for the naming attribute of the object (`namingAttributeId`), whose value is the name of a record',
    }),
    displayOrder: Type.Integer({ minimum: 0 }),
    defaultValue: Type.Unsafe<unknown>(
      Type.Unknown({
        description: '(+) Value of new records that are created without this attribute; null: no default',
      }),
    ),
    config: AttributeConfig,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { description: 'A field of an object' },
)
export type Attribute = Static<typeof Attribute>

export const AttributeList = listOf('attributes', Attribute)

// The code of the attribute type validates the value, as for values of records.
const DefaultValue = Type.Optional(
  Type.Unsafe<unknown>(
    Type.Unknown({
      description:
        '(+) Value of new records that are created without this attribute, in any format that records accept; null: no default. Not allowed for unique attributes, reference and member',
      examples: ['Planned'],
    }),
  ),
)

export const NewAttribute = StrictObject({
  name: Name,
  type: AttributeType,
  slug: Type.Optional(Slug),
  isRequired: Type.Optional(Type.Boolean({ default: false })),
  isUnique: flag('Not allowed for checkbox, address, currency and list'),
  isList: Type.Optional(Type.Boolean({ default: false })),
  // The code of the attribute type validates it: errors of a union would list the rules of all types.
  config: Type.Optional(Type.Unsafe<AttributeConfig>(Type.Unknown())),
  defaultValue: DefaultValue,
})
export type NewAttribute = Static<typeof NewAttribute>

export const AttributePatch = StrictObject({
  name: Type.Optional(Name),
  isRequired: Type.Optional(
    Type.Boolean({
      description:
        '(+) true: new records require a value, and values cannot be cleared. Existing records without a value stay valid',
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
  { description: 'All attributes of an object in order, including inactive ones' },
)

const AttributeQuery = StrictObject({
  ...wholeListParams,
  includeInactive: flag('true: include inactive attributes'),
})

const AttributeDeletionQuery = StrictObject({
  permanent: flag('true: delete permanently instead of moving to the trash'),
})

/** Schemas by their names in the API document. */
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
      'Built-in attributes keep their name and `isRequired`. (+) `defaultValue` applies to records that are created afterwards. (+) `isUnique` makes the values of a custom attribute unique, or no longer unique. If several records have the same value, the response is 409 `duplicate_values` with the first of these values, and nothing is changed. (+) `config` sets whether unique values are case-sensitive; null means that they are. If a change to case-insensitive finds values that differ only in case, the response is 409 `case_conflict` in the same way. Until a change is finished, written values must be unique by both rules. A change for many records may return 503: send it again.',
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
    summary: 'Activate or deactivate an attribute',
    description:
      'The values of an inactive attribute are kept and hidden: each record with a value gets a new version and a `record.updated` event, most of them before the response. Built-in attributes that are required stay active.',
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
    description: 'Sets `displayOrder` of all attributes.',
    body: AttributeOrder,
    response: { 200: OrderedAttributes },
    example: { body: { ids: [exampleAttribute.id] }, response: { attributes: [exampleAttribute] } },
  },
  deleteAttribute: {
    at: 'DELETE /objects/:objectId/attributes/:attributeId',
    scope: 'attributes:write',
    summary: 'Delete an attribute',
    description:
      'Its values are removed from every record immediately, and each record that had one gets a new version and a `record.updated` event, most of them before the response. The attribute and its values stay in the trash for 30 days by default, and can be restored during that time.',
    query: AttributeDeletionQuery,
    response: { 200: Deleted },
    errors: ['standard_object', 'options_changing', 'wrong_state', 'precondition_failed'],
    example: { response: exampleDeleted },
  },
} satisfies ApiRoutes
