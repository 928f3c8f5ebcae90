// The specification's section "Object": what an organization keeps records of.
import { type Static, Type } from 'typebox'
import { Attribute, Slug } from './attributes.ts'
import { Timestamp, Uuid } from './common.ts'
import { NOT_BLANK } from './not-blank.ts'

const Name = Type.String({ minLength: 1, pattern: NOT_BLANK, maxLength: 200, examples: ['Projects'] })
const Description = Type.String({ maxLength: 2000 })

export const CrmObject = Type.Object(
  {
    id: Uuid,
    type: Type.Union([Type.Literal('standard'), Type.Literal('custom')]),
    pluralName: Name,
    singularName: Name,
    description: Description,
    slug: Slug,
    isActive: Type.Boolean(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { additionalProperties: false, description: 'A kind of record' },
)
export type CrmObject = Static<typeof CrmObject>

export const ObjectWithAttributes = Type.Object(
  {
    ...CrmObject.properties,
    attributes: Type.Array(Attribute, { description: 'Active ones, by displayOrder' }),
  },
  { additionalProperties: false },
)
export type ObjectWithAttributes = CrmObject & { attributes: Attribute[] }

export const ObjectList = Type.Object({ objects: Type.Array(CrmObject) }, { additionalProperties: false })

export const NewObject = Type.Object(
  {
    pluralName: Name,
    singularName: Name,
    description: Type.Optional(Description),
    slug: Type.Optional(Slug),
  },
  { additionalProperties: false },
)
export type NewObject = Static<typeof NewObject>

export const ObjectPatch = Type.Object(
  {
    pluralName: Type.Optional(Name),
    description: Type.Optional(Description),
    isActive: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)
export type ObjectPatch = Static<typeof ObjectPatch>
