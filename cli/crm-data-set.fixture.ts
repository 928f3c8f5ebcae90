// A sales data set of four tables, like a public data set of a seller of computer hardware: 85 accounts, 7 products,
// 35 agents and 8,800 opportunities. It has the same irregularities: accounts name parents in later rows, a third of
// the products is written in another case, and open opportunities lack an account, a date or a value.
import { createRandom } from '../server/demo/random.ts'

const random = createRandom(8800)

const SECTORS = ['technology', 'medical', 'retail', 'software', 'finance', 'marketing'] as const
const OFFICES = ['United States', 'Kenya', 'Philipines', 'Japan', 'Italy', 'Norway'] as const
const REGIONS = ['Central', 'East', 'West'] as const
const STAGES = ['Won', 'Won', 'Won', 'Lost', 'Lost', 'Engaging', 'Prospecting'] as const
const PRODUCTS = [
  ['GTX Basic', 'GTX', 550],
  ['GTX Pro', 'GTX', 4821],
  ['GTX Plus Basic', 'GTX', 1096],
  ['GTX Plus Pro', 'GTX', 5482],
  ['MG Special', 'MG', 55],
  ['MG Advanced', 'MG', 3393],
  ['GTK 500', 'GTK', 26_768],
] as const

const table = (header: string, rows: readonly (readonly (string | number)[])[]): string =>
  [header, ...rows.map((row) => row.join(','))].join('\n')

const ACCOUNTS = Array.from({ length: 85 }, (_, nr) => `Account ${String(nr + 1).padStart(2, '0')}`)
const AGENTS = Array.from({ length: 35 }, (_, nr) => `Agent ${String(nr + 1).padStart(2, '0')}`)

/** Every sixth account is a subsidiary of one of five groups at the end of the table. */
const accounts = () =>
  ACCOUNTS.map((name, nr) => {
    const parent = nr % 6 === 0 ? (ACCOUNTS.at(-1 - (nr % 5)) ?? '') : ''
    const [year, revenue, people] = [
      random.integer(1979, 2017),
      random.integer(4, 11_698),
      random.integer(9, 34_288),
    ]
    return [name, random.pick(SECTORS), year, `${revenue}.${nr % 100}`, people, random.pick(OFFICES), parent]
  })

const agents = () => AGENTS.map((name, nr) => [name, `Manager ${nr % 6}`, REGIONS[nr % 3] ?? ''])

const day = (from: number) => new Date(Date.UTC(2016, 9, 20 + from)).toISOString().slice(0, 10)

function opportunity(nr: number): (string | number)[] {
  const [product, , price] = random.pick(PRODUCTS)
  const stage = random.pick(STAGES)
  const isOpen = stage === 'Engaging' || stage === 'Prospecting'
  const engaged = random.integer(0, 400)
  return [
    (0x1_0000_0000 + nr * 9973).toString(36).toUpperCase(),
    random.pick(AGENTS),
    random.chance(0.3) ? product.toLowerCase() : product,
    isOpen && random.chance(0.6) ? '' : random.pick(ACCOUNTS),
    stage,
    stage === 'Prospecting' ? '' : day(engaged),
    isOpen ? '' : day(engaged + random.integer(1, 138)),
    stage === 'Won' ? price + random.integer(-20, 20) : stage === 'Lost' ? 0 : '',
  ]
}

/** The tables, by name of the file. */
export const crmDataSet = (): Record<'accounts' | 'products' | 'teams' | 'pipeline', string> => ({
  accounts: table(
    'account,sector,year_established,revenue,employees,office_location,subsidiary_of',
    accounts(),
  ),
  products: table('product,series,sales_price', PRODUCTS),
  teams: table('sales_agent,manager,regional_office', agents()),
  pipeline: table(
    'opportunity_id,sales_agent,product,account,deal_stage,engage_date,close_date,close_value',
    Array.from({ length: 8800 }, (_, nr) => opportunity(nr)),
  ),
})
