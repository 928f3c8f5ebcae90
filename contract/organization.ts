// The organization: its name, country, currency, time zone and trash time. (+)
import { type Static, Type } from 'typebox'
import { StrictObject, Timestamp, Uuid } from './common.ts'
import { exampleId, exampleTimes } from './example-values.ts'
import { NAME_MAX, TRASH_DAYS_MAX } from './limits.ts'
import { NOT_BLANK } from './not-blank.ts'
import type { ApiRoutes } from './route.ts'

const fields = {
  name: Type.String({ minLength: 1, pattern: NOT_BLANK, maxLength: NAME_MAX }),
  country: Type.String({
    minLength: 1,
    maxLength: 2,
    description: 'ISO 3166-1 alpha-2; phone numbers without + are read as numbers of this country',
  }),
  currency: Type.String({ minLength: 1, maxLength: 3, description: 'ISO 4217' }),
  timeZone: Type.String({ minLength: 1, maxLength: 100, description: 'IANA name' }),
}

const trashDays = Type.Integer({
  minimum: 1,
  maximum: TRASH_DAYS_MAX,
  description: 'Number of days for which deleted records can be restored',
})

export const Organization = StrictObject(
  {
    id: Uuid,
    slug: Type.String(),
    ...fields,
    trashDays,
    createdAt: Timestamp,
  },
  { description: 'The settings of an organization' },
)
export type Organization = Static<typeof Organization>

/** Defaults: US, USD, UTC. */
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

/** Schemas by their names in the API document. */
export const organizationSchemas = { Organization, OrganizationPatch }

const exampleOrganization = {
  id: exampleId(1),
  slug: 'acme',
  name: 'Acme',
  country: 'US',
  currency: 'USD',
  timeZone: 'America/New_York',
  trashDays: 30,
  createdAt: exampleTimes.createdAt,
}

export const organizationRoutes = {
  getOrganization: {
    at: 'GET /organization',
    scope: 'organization:read',
    summary: 'Get the settings of the organization',
    response: { 200: Organization },
    example: { response: exampleOrganization },
  },
  updateOrganization: {
    at: 'PATCH /organization',
    scope: 'organization:write',
    readScope: 'organization:read',
    summary: 'Update the settings of the organization',
    description:
      'A new time zone applies to schedules, days and months from then on. A lower `trashDays` also applies to what was deleted earlier, which is then deleted permanently sooner.',
    body: OrganizationPatch,
    response: { 200: Organization },
    example: { body: { timeZone: 'America/New_York' }, response: exampleOrganization },
  },
} satisfies ApiRoutes
