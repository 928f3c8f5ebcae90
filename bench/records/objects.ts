// The objects that hold the people: one with 16 attributes, made over the API, and small ones of other organizations.
import sql from 'sql-template-tag'
import type { Caller } from '../../server/base/caller.ts'
import { newId } from '../../server/base/id.ts'
import type { Db } from '../../server/db/pool.ts'
import { createKey } from '../../server/identity/api-keys/service.ts'
import { seedStandardObjects } from '../../server/model/objects/standard.ts'
import type { RecordContext } from '../../server/records/context.ts'
import { INDUSTRIES, SOURCES } from './people.ts'

const ATTRIBUTES = [
  { name: 'Name', type: 'name', isRequired: true },
  { name: 'Email', type: 'email', isUnique: true },
  { name: 'Phone', type: 'phone_number' },
  { name: 'Industry', type: 'select', config: { options: INDUSTRIES } },
  { name: 'Employees', type: 'number' },
  { name: 'Revenue', type: 'currency' },
  { name: 'Is customer', type: 'checkbox' },
  { name: 'Last contacted', type: 'date' },
  { name: 'Notes', type: 'text' },
  { name: 'City', type: 'text' },
  { name: 'Job title', type: 'text' },
  { name: 'LinkedIn', slug: 'linkedin', type: 'text' },
  { name: 'Website', type: 'text' },
  { name: 'Score', type: 'number' },
  { name: 'Source', type: 'select', config: { options: SOURCES } },
]

/** An object that receives people. */
export interface PeopleObject {
  id: string
  slug: string
  org: number
  obj: number
  /** Numbers of the attributes whose values are also rows of `uniques` and `links`. */
  emailAttr: number
  /** undefined: these people have no company. */
  companyAttr: number | undefined
}

export interface Owner {
  caller: Caller
  key: string
}

/** Slug of the organization whose records are measured. */
export const ORGANIZATION = 'bench-records'

export async function makeOwner(ctx: RecordContext): Promise<Owner> {
  const [orgId, userId] = [newId(), newId()]
  const { db } = ctx
  const { org } = await db.one<{ org: number }>(
    sql`insert into organizations (id, name, slug) values (${orgId}, 'Bench', ${ORGANIZATION}) returning org`,
  )
  await db.run(sql`insert into users (id, name, email) values (${userId}, 'Olivia', 'olivia@example.com')`)
  await db.run(sql`
    insert into members (id, organization_id, user_id, role) values (${newId()}, ${orgId}, ${userId}, 'owner')`)
  await db.transaction((tx) => seedStandardObjects(tx, org))
  const { key } = await createKey(ctx, org, { name: 'Bench', scopes: null, createdBy: userId })
  const caller = { org, orgId, userId, keyId: null, country: 'US', currency: 'USD' }
  return { caller, key }
}

async function post(url: string, key: string, body: object): Promise<{ id: string }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`POST ${url} was answered ${response.status}: ${text}`)
  return JSON.parse(text)
}

export const findObject = (db: Db, org: number, slug: string) =>
  db.one<PeopleObject>(sql`
    select o.id, o.slug, o.org, o.obj,
      (select attr from attributes a where a.org = o.org and a.obj = o.obj and a.slug = 'email') as "emailAttr",
      (select attr from attributes a where a.org = o.org and a.obj = o.obj and a.slug = 'company') as "companyAttr"
    from objects o where o.org = ${org} and o.slug = ${slug}`)

/** Makes the object over the API, so that it is like any other object. */
export async function makeObject(
  { db }: { db: Db },
  { url, owner, slug }: { url: string; owner: Owner; slug: string },
): Promise<PeopleObject> {
  const { caller, key } = owner
  const base = `${url}/api/v1/objects`
  await post(base, key, { pluralName: slug, singularName: slug, description: '', slug })
  for (const attribute of ATTRIBUTES) await post(`${base}/${slug}/attributes`, key, attribute)
  const { id: companies } = await findObject(db, caller.org, 'companies')
  const config = { allowed_object_id: companies }
  await post(`${base}/${slug}/attributes`, key, { name: 'Company', type: 'reference', config })
  return findObject(db, caller.org, slug)
}

const OBJECTS_EACH = 5

/** Makes organizations with five such objects each, without the reference to companies. */
export async function makeBackground(
  { db }: { db: Db },
  template: PeopleObject,
  objects: number,
): Promise<PeopleObject[]> {
  if (objects === 0) return []
  return db.transaction(async (tx) => {
    await tx.run(sql`
      insert into organizations (id, name, slug)
      select uuidv7(), 'Background ' || n, 'background-' || n
      from generate_series(1, ${Math.ceil(objects / OBJECTS_EACH)}::int) as n`)
    await tx.run(sql`
      insert into objects (org, id, type, plural_name, singular_name, description, slug)
      select o.org, uuidv7(), 'custom', 'People ' || n, 'Person ' || n, '', 'people_' || n
      from organizations o, generate_series(1, ${OBJECTS_EACH}::int) as n
      where o.slug like 'background-%' order by o.org, n limit ${objects}`)
    await tx.run(sql`
      insert into attributes (org, obj, id, name, slug, type, is_required, is_unique, is_list, display_order, config)
      select b.org, b.obj, uuidv7(), a.name, a.slug, a.type, a.is_required, a.is_unique, a.is_list,
        a.display_order, a.config
      from objects b join organizations o on o.org = b.org and o.slug like 'background-%',
        attributes a where a.org = ${template.org} and a.obj = ${template.obj} and a.type <> 'reference'`)
    return tx.many<PeopleObject>(sql`
      select b.id, b.slug, b.org, b.obj, a.attr as "emailAttr", null as "companyAttr"
      from objects b join organizations o on o.org = b.org and o.slug like 'background-%'
      join attributes a on a.org = b.org and a.obj = b.obj and a.slug = 'email' order by b.obj`)
  })
}
