// The data before the first measurement: organizations with keys, companies and people.
import sql from 'sql-template-tag'
import { newId } from '../../server/base/id.ts'
import type { Context } from '../../server/context.ts'
import { createKey } from '../../server/identity/api-keys/service.ts'
import { seedStandardObjects } from '../../server/model/objects/standard.ts'
import { waitUntilIndexed } from '../../server/records/engine/maintenance/finish.ts'
import { emailOf, makeCompanies, makePeople, PEOPLE, type Person } from './people.ts'

const ORGANIZATIONS = 100
const KEYS_PER_ORGANIZATION = 10
const COMPANIES = 20
/** People in the large organization. */
export const LARGE = 100_000
const BATCH = 100

export interface BenchObject {
  /** Internal number of the organization. */
  org: number
  /** Internal number of the object. */
  obj: number
  id: string
}

export interface BenchOrganization {
  keys: string[]
  people: BenchObject
  companyIds: string[]
  personIds: string[]
}

export interface NewOrganization {
  keys: string[]
  people: BenchObject
  companies: BenchObject
}

/** Writes the rows directly: better-auth's password hashing would take a tenth of a second for each user. */
async function insertOrganization(ctx: Context, index: number): Promise<{ org: number; userId: string }> {
  const [id, userId] = [newId(), newId()]
  return ctx.db.transaction(async (tx) => {
    const { org } = await tx.one<{ org: number }>(
      sql`insert into organizations (id, name, slug) values (${id}, ${`Bench ${index}`}, ${`bench-${index}`}) returning org`,
    )
    await tx.run(
      sql`insert into users (id, name, email) values (${userId}, 'Olivia Owner', ${`owner-${index}@example.com`})`,
    )
    await tx.run(
      sql`insert into members (id, organization_id, user_id, role) values (${newId()}, ${id}, ${userId}, 'owner')`,
    )
    await seedStandardObjects(tx, org)
    return { org, userId }
  })
}

export async function makeOrganization(ctx: Context, index: number): Promise<NewOrganization> {
  const { org, userId } = await insertOrganization(ctx, index)
  const object = (slug: string) =>
    ctx.db.one<BenchObject>(sql`select org, obj, id from objects where org = ${org} and slug = ${slug}`)
  const keys: string[] = []
  for (let number = 0; number < KEYS_PER_ORGANIZATION; number++) {
    const { key } = await createKey(ctx, org, { name: `Key ${number}`, scopes: null, createdBy: userId })
    keys.push(key)
  }
  return { keys, people: await object('people'), companies: await object('companies') }
}

interface BulkAnswer {
  created: number
  results: { id: string }[]
}

/** Creates records through the API. @param url of the object's records @returns the ids of the new records */
export async function createRecords(
  url: string,
  key: string,
  records: { data: object }[],
): Promise<string[]> {
  const response = await fetch(`${url}/bulk`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ records }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`The service answered ${response.status} while data was made: ${text}`)
  const { created, results } = JSON.parse(text) as BulkAnswer
  if (created !== records.length) throw new Error(`Not every record was made: ${text.slice(0, 500)}`)
  return results.map(({ id }) => id)
}

/** Makes companies, and people who refer to them. */
export async function fill(
  url: string,
  { keys, people, companies }: NewOrganization,
  persons: readonly Person[],
) {
  const [key = ''] = keys
  const at = ({ id }: BenchObject) => `${url}/api/v1/objects/${id}/records`
  const companyIds = await createRecords(
    at(companies),
    key,
    makeCompanies(COMPANIES).map((data) => ({ data })),
  )
  const personIds: string[] = []
  for (let start = 0; start < persons.length; start += BATCH) {
    const batch = persons.slice(start, start + BATCH).map((person, place) => {
      const index = start + place
      return { data: { ...person, email: emailOf(index), company: companyIds[index % companyIds.length] } }
    })
    personIds.push(...(await createRecords(at(people), key, batch)))
  }
  return { companyIds, personIds }
}

/** Makes the organizations in the database of `ctx`, and their records through the API at `url`. */
export async function makeFixture(ctx: Context, url: string): Promise<BenchOrganization[]> {
  const persons = makePeople(PEOPLE)
  const organizations: BenchOrganization[] = []
  for (let index = 0; index < ORGANIZATIONS; index++) {
    const made = await makeOrganization(ctx, index)
    organizations.push({ keys: made.keys, people: made.people, ...(await fill(url, made, persons)) })
  }
  return organizations
}

/** Makes one more organization, with `LARGE` people, and waits until their index is complete. */
export async function makeLarge(ctx: Context, url: string): Promise<BenchOrganization> {
  const { keys, people, companies } = await makeOrganization(ctx, ORGANIZATIONS)
  const ids = await fill(url, { keys, people, companies }, makePeople(LARGE))
  await waitUntilIndexed(ctx, people)
  return { keys, people, ...ids }
}
