// The objects of every new organization: people, companies and deals (decisions, section 5).
import type { AttributeType } from './attribute-types.ts'

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

const CLOSED_STAGES = ['Won', 'Lost']
const STAGES = ['Lead', 'Qualified', 'Proposal', ...CLOSED_STAGES]

/** The member who is responsible for a record. */
export const OWNER = { name: 'Owner', slug: 'owner', type: 'member' } as const

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
    OWNER,
  ],
}

const COMPANIES: StandardObject = {
  slug: 'companies',
  pluralName: 'Companies',
  singularName: 'Company',
  description: 'Organizations that people work for and deals are made with',
  attributes: [
    { name: 'Name', slug: 'name', type: 'text', isRequired: true },
    { name: 'Domain', slug: 'domain', type: 'domain', isUnique: true },
    { name: 'Industry', slug: 'industry', type: 'select', options: INDUSTRIES },
    { name: 'Employees', slug: 'employees', type: 'number' },
    { name: 'Address', slug: 'address', type: 'address' },
    OWNER,
  ],
}

const DEALS: StandardObject = {
  slug: 'deals',
  pluralName: 'Deals',
  singularName: 'Deal',
  description: 'Sales opportunities, from lead to won or lost',
  attributes: [
    { name: 'Name', slug: 'name', type: 'text', isRequired: true },
    { name: 'Amount', slug: 'amount', type: 'currency' },
    { name: 'Stage', slug: 'stage', type: 'select', options: STAGES },
    { name: 'Close date', slug: 'close_date', type: 'date' },
    { name: 'Company', slug: 'company', type: 'reference', target: 'companies' },
    { name: 'Contact', slug: 'contact', type: 'reference', target: 'people' },
    OWNER,
  ],
}

export const STANDARD_OBJECTS: readonly StandardObject[] = [PEOPLE, COMPANIES, DEALS]

/**
 * Whether an attribute is built in and cannot be changed. `owner` was added later: an organization may have had another
 * attribute with this slug before, so its type is compared too.
 */
export const isStandardAttribute = (
  object: string,
  attribute: { slug: string; type: AttributeType },
): boolean =>
  STANDARD_OBJECTS.some(
    ({ slug, attributes }) =>
      slug === object &&
      attributes.some(
        (one) => one.slug === attribute.slug && (one !== OWNER || attribute.type === OWNER.type),
      ),
  )

/** The attribute with the member who is responsible for a record, if its object has one. */
export const ownerAttribute = <One extends { slug: string; type: AttributeType; isList: boolean }>(
  attributes: readonly One[],
): One | undefined =>
  attributes.find((one) => one.slug === OWNER.slug && !one.isList && one.type === OWNER.type)

/** The stage of a deal; undefined for other objects. */
export const stageAttribute = <One extends { slug: string; type: AttributeType }>({
  slug,
  attributes,
}: {
  slug: string
  attributes: readonly One[]
}): One | undefined =>
  slug === DEALS.slug ? attributes.find((one) => one.slug === 'stage' && one.type === 'select') : undefined

/** Whether a deal in this stage is closed. A closed stage can have been renamed. */
export const isClosedStage = (
  { aliases = {} }: { aliases?: Readonly<Record<string, string>> },
  stage: string,
): boolean =>
  CLOSED_STAGES.includes(stage) ||
  // An alias may also point to an open standard stage, because "Lost" was merged into it. Such a stage is not closed.
  (!STAGES.includes(stage) &&
    CLOSED_STAGES.some((name) => Object.hasOwn(aliases, name) && aliases[name] === stage))
