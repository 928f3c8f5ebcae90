// Lists with `expand`, which return the referenced records too, compared with the rate of plain lists.
import { compare, type Row } from '../harness/figures.ts'
import type { Lab } from '../harness/lab.ts'
import { measureBoth, tellBoth } from './measure.ts'
import { headersOf, recordsPath } from './requests.ts'
import type { Stage } from './stage.ts'
import { send } from './verify.ts'

export const EXPAND_NAME = 'list 50 with expand=company'
/** Minimum share of the rate of the plain list. */
const TARGET = 0.6
const LISTED = 50

interface Answer {
  records: { data: { company: string } }[]
  expanded?: { records: Record<string, { data: { name: string } }> }
}

const rates = (latenciesMs: readonly number[]) => latenciesMs.map((ms) => 1000 / ms)

/** The limit is the plain list of the service itself. @throws Error when a company is missing */
export async function expandCompanies(lab: Lab, { setting, sides, address }: Stage): Promise<Row[]> {
  const listing = (query: string) => ({
    method: 'GET' as const,
    path: `${recordsPath(address)}?limit=${LISTED}&count=false${query}`,
    headers: headersOf(address),
  })
  const [expanding, plain] = [listing('&expand=company'), listing('')]
  const { records, expanded } = await send<Answer>(sides.service.url, expanding)
  const found = records.filter(({ data }) =>
    /^Company \d+$/.test(expanded?.records[data.company]?.data.name ?? ''),
  )
  if (found.length !== LISTED) throw new Error(`${EXPAND_NAME} has ${found.length} of ${LISTED} companies`)
  const { service } = sides
  const both = await measureBoth(
    { ...setting, sides: { service, limit: service } },
    { service: [expanding], limit: [plain] },
  )
  lab.tell(`${EXPAND_NAME}: ${tellBoth(both)}, which is the plain list`)
  const [ours, limit] = [rates(both.service.latenciesMs), rates(both.limit.latenciesMs)]
  return [compare({ case: EXPAND_NAME, unit: 'requests/s', ours, limit, target: TARGET })]
}
