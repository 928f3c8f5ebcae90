// What every organization starts with: people, companies and deals (decisions, section 5).
import sql from 'sql-template-tag'
import type { AttributeType } from '../../contract/attribute-types.ts'
import type { Db } from '../db/pool.ts'
import { newId } from '../id.ts'

interface StandardAttribute {
  name: string
  slug: string
  type: AttributeType
  isRequired?: boolean
  isUnique?: boolean
  options?: string[]
  /** Slug of the object that a reference points to. */
  target?: string
}

interface StandardObject {
  slug: string
  pluralName: string
  singularName: string
  description: string
  attributes: StandardAttribute[]
}

const INDUSTRIES = [
  'Agriculture',
  'Construction',
  'Education',
  'Energy',
  'Finance',
  'Government',
  'Health',
  'Hospitality',
  'Manufacturing',
  'Media',
  'Non-profit',
  'Professional services',
  'Real estate',
  'Retail',
  'Technology',
  'Transport',
  'Other',
]

const STAGES = ['Lead', 'Qualified', 'Proposal', 'Won', 'Lost']

const PEOPLE: StandardObject = {
  slug: 'people',
  pluralName: 'People',
  singularName: 'Person',
  description: 'Everyone the organization is in touch with',
  attributes: [
    { name: 'Name', slug: 'name', type: 'name', isRequired: true },
    { name: 'Email', slug: 'email', type: 'email', isUnique: true },
    { name: 'Phone', slug: 'phone', type: 'phone_number' },
    { name: 'Job title', slug: 'job_title', type: 'text' },
    { name: 'Company', slug: 'company', type: 'reference', target: 'companies' },
  ],
}

const COMPANIES: StandardObject = {
  slug: 'companies',
  pluralName: 'Companies',
  singularName: 'Company',
  description: 'Organizations that people work for and deals are made with',
  attributes: [
    { name: 'Name', slug: 'name', type: 'text', isRequired: true },
    { name: 'Domain', slug: 'domain', type: 'text', isUnique: true },
    { name: 'Industry', slug: 'industry', type: 'select', options: INDUSTRIES },
    { name: 'Employees', slug: 'employees', type: 'number' },
    { name: 'Address', slug: 'address', type: 'address' },
  ],
}

const DEALS: StandardObject = {
  slug: 'deals',
  pluralName: 'Deals',
  singularName: 'Deal',
  description: 'Sales in the making, from lead to won or lost',
  attributes: [
    { name: 'Name', slug: 'name', type: 'text', isRequired: true },
    { name: 'Amount', slug: 'amount', type: 'currency' },
    { name: 'Stage', slug: 'stage', type: 'select', options: STAGES },
    { name: 'Close date', slug: 'close_date', type: 'date' },
    { name: 'Company', slug: 'company', type: 'reference', target: 'companies' },
    { name: 'Contact', slug: 'contact', type: 'reference', target: 'people' },
  ],
}

const STANDARD = [PEOPLE, COMPANIES, DEALS]

const insertObjects = (tx: Db, org: number) => {
  const rows = STANDARD.map(({ attributes: _, ...object }, place) => ({ ...object, id: newId(), place }))
  return tx.run(sql`
    insert into objects (org, id, type, plural_name, singular_name, description, slug)
    select ${org}, d.id, 'standard', d."pluralName", d."singularName", d.description, d.slug
    from jsonb_to_recordset(${JSON.stringify(rows)})
      as d(id uuid, slug text, "pluralName" text, "singularName" text, description text, place int)
    order by d.place`)
}

const insertAttributes = (tx: Db, org: number) => {
  const rows = STANDARD.flatMap(({ slug: object, attributes }) =>
    attributes.map((attribute, displayOrder) => ({ ...attribute, object, displayOrder, id: newId() })),
  )
  return tx.run(sql`
    insert into attributes (org, obj, id, name, slug, type, is_required, is_unique, is_list, is_standard,
                            display_order, config, target_obj)
    select ${org}, o.obj, d.id, d.name, d.slug, d.type, coalesce(d."isRequired", false), coalesce(d."isUnique", false),
           false, true, d."displayOrder",
           case when d.options is not null then jsonb_build_object('options', d.options)
                when t.id is not null then jsonb_build_object('allowed_object_id', t.id) end, t.obj
    from jsonb_to_recordset(${JSON.stringify(rows)})
      as d(object text, id uuid, name text, slug text, type text, "isRequired" boolean, "isUnique" boolean,
           options jsonb, target text, "displayOrder" int)
    join objects o on o.org = ${org} and o.slug = d.object and o.deleted_at is null
    left join objects t on t.org = ${org} and t.slug = d.target and t.deleted_at is null
    order by o.obj, d."displayOrder"`)
}

/** Writes the standard objects of a new organization, in the transaction that makes it. */
export async function seedStandardObjects(tx: Db, org: number): Promise<void> {
  await insertObjects(tx, org)
  await insertAttributes(tx, org)
}
