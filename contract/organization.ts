// The organization itself: what it is called, and where and how it counts.
import { type Static, Type } from 'typebox'
import { StrictObject, Timestamp, Uuid } from './common.ts'
import { NAME_MAX, TRASH_DAYS_MAX } from './limits.ts'
import { NOT_BLANK } from './not-blank.ts'

const fields = {
  name: Type.String({ minLength: 1, pattern: NOT_BLANK, maxLength: NAME_MAX }),
  country: Type.String({
    maxLength: 2,
    description: 'ISO 3166-1 alpha-2; phone numbers without + belong to this country',
  }),
  currency: Type.String({ maxLength: 3, description: 'ISO 4217' }),
  timeZone: Type.String({ maxLength: 100, description: 'IANA name' }),
}

const trashDays = Type.Integer({
  minimum: 1,
  maximum: TRASH_DAYS_MAX,
  description: 'For how long deleted records can be restored',
})

export const Organization = StrictObject({
  id: Uuid,
  slug: Type.String(),
  ...fields,
  trashDays,
  createdAt: Timestamp,
})
export type Organization = Static<typeof Organization>

/** Absent: US, USD, UTC. */
export const NewOrganization = StrictObject({
  name: fields.name,
  country: Type.Optional(fields.country),
  currency: Type.Optional(fields.currency),
  timeZone: Type.Optional(fields.timeZone),
})
export type NewOrganization = Static<typeof NewOrganization>

export const OrganizationPatch = Type.Partial(StrictObject({ ...fields, trashDays }), {
  additionalProperties: false,
})
export type OrganizationPatch = Static<typeof OrganizationPatch>
