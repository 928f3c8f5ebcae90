// The attributes that the demo adds to the standard objects, as examples of the types.
import type { NewAttribute } from '../../contract/attributes.ts'
import type { Context } from '../context.ts'
import { createAttribute } from '../model/attributes/service.ts'
import { getObject } from '../model/objects/store.ts'

const SECTORS = [
  'Communication Services',
  'Consumer Discretionary',
  'Consumer Staples',
  'Energy',
  'Financials',
  'Health Care',
  'Industrials',
  'Information Technology',
  'Materials',
  'Real Estate',
  'Utilities',
]

// The fifty states, the federal district and the territories with members of Congress.
const STATES =
  'AK AL AR AS AZ CA CO CT DC DE FL GA GU HI IA ID IL IN KS KY LA MA MD ME MI MN MO MP MS MT NC ND NE NH NJ NM NV NY OH OK OR PA PR RI SC SD TN TX UT VA VI VT WA WI WV WY'.split(
    ' ',
  )

const FICTIONAL: NewAttribute = { name: 'Fictional', slug: 'fictional', type: 'checkbox' }
const TAGS: NewAttribute = { name: 'Tags', slug: 'tags', type: 'list' }

const COMPANIES: NewAttribute[] = [
  { name: 'Ticker', slug: 'ticker', type: 'text', isUnique: true },
  { name: 'Sector', slug: 'sector', type: 'select', config: { options: SECTORS } },
  { name: 'Sub-industry', slug: 'sub_industry', type: 'text' },
  { name: 'Founded', slug: 'founded', type: 'number' },
  { name: 'Founding note', slug: 'founding_note', type: 'text' },
  { name: 'In the S&P 500 since', slug: 'sp500_since', type: 'date' },
  { name: 'CIK', slug: 'cik', type: 'text' },
  TAGS,
  FICTIONAL,
]

const PEOPLE: NewAttribute[] = [
  { name: 'Birthday', slug: 'birthday', type: 'date' },
  { name: 'Office address', slug: 'office_address', type: 'address' },
  { name: 'Chamber', slug: 'chamber', type: 'select', config: { options: ['Senate', 'House'] } },
  { name: 'State', slug: 'state', type: 'select', config: { options: STATES } },
  {
    name: 'Party',
    slug: 'party',
    type: 'select',
    config: { options: ['Democrat', 'Republican', 'Independent'] },
  },
  { name: 'Website', slug: 'website', type: 'text' },
  { name: 'First elected', slug: 'first_elected', type: 'date' },
  { name: 'Bioguide ID', slug: 'bioguide_id', type: 'text', isUnique: true },
  TAGS,
  FICTIONAL,
]

const dealAttributes = (peopleId: string): NewAttribute[] => [
  { name: 'Opened on', slug: 'opened_on', type: 'date' },
  {
    name: 'Stakeholders',
    slug: 'stakeholders',
    type: 'reference',
    isList: true,
    config: { allowed_object_id: peopleId },
  },
  FICTIONAL,
]

/** Adds the demo's attributes to the standard objects of a new organization. */
export async function addDemoAttributes(ctx: Context, org: number): Promise<void> {
  const people = await getObject(ctx.db, org, 'people')
  const all: [string, NewAttribute[]][] = [
    ['companies', COMPANIES],
    ['people', PEOPLE],
    ['deals', dealAttributes(people.id)],
  ]
  for (const [objectId, attributes] of all)
    for (const input of attributes)
      await createAttribute(ctx, org, { objectId, input, readDefault: () => null })
}
