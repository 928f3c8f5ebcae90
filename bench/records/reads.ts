// Reading: each question with its total and without, one request at a time.
import type { Row } from '../harness/figures.ts'
import type { Lab } from '../harness/lab.ts'
import { type Measured, measureBoth, type Requests, type Sides, tellBoth } from './measure.ts'
import type { Question } from './questions.ts'
import { limitRequest, pageRequest, recordRequest } from './requests.ts'
import { allowed, atMost, beside, p50, p95 } from './rows.ts'
import type { Stage } from './stage.ts'
import { requireSamePage, send } from './verify.ts'

const HTTP_P95_MS = 15
const TOTAL_MS = 2
const PAGE_MS = 3

type Both = Record<keyof Sides, Measured>

const sqlOf = ({ service, limit }: Both) => ({ ours: p50(service.sqlMs), limit: p50(limit.sqlMs) })

const httpRows = (name: string, { service, limit }: Both): Row[] => [
  beside({
    case: name,
    unit: 'ms over HTTP, p50',
    ours: p50(service.latenciesMs),
    limit: p50(limit.latenciesMs),
  }),
  allowed(name, 'ms over HTTP, p95 allowed', p95(service.latenciesMs), HTTP_P95_MS),
]

/** Two filters have no page target of their own: there the whole counts. */
function sqlRows({ name, isCountable, filters }: Question, whole: Both, page: Both): Row[] {
  const [both, alone] = [
    { case: name, unit: 'ms of SQL, page and total', ...sqlOf(whole) },
    { case: name, unit: 'ms of SQL, page', ...sqlOf(page) },
  ]
  const total = Math.max(0, both.ours - alone.ours)
  return [
    filters.length > 1 ? atMost(both, 1.5) : beside(both),
    atMost(alone, 1.5, PAGE_MS),
    ...(isCountable ? [allowed(name, 'ms of SQL, total allowed', total, TOTAL_MS)] : []),
  ]
}

/** Asks one question in both ways. @throws Error when it is answered wrongly */
export async function askQuestion(lab: Lab, stage: Stage, question: Question): Promise<Row[]> {
  const { setting, sides, address } = stage
  const { cursors, places } = stage.limit
  const urls = { service: sides.service.url, limit: sides.limit.url }
  const place = places.get(question.name) ?? 0
  const cursor = cursors.get(question.name)
  const measured: Both[] = []
  for (const count of [true, false]) {
    const service = pageRequest(address, question, { count, cursor })
    const limit = limitRequest(`/questions/${count ? place : place + 1}`)
    await requireSamePage(question.name, urls, { service, limit })
    const both = await measureBoth(setting, { service: [service], limit: [limit] })
    lab.tell(`${question.name}${count ? '' : ', page alone'}: ${tellBoth(both)}`)
    measured.push(both)
  }
  const [whole, page] = measured
  return whole && page ? [...httpRows(question.name, whole), ...sqlRows(question, whole, page)] : []
}

const SAME_FIELDS = ['id', 'email']

interface OneRecord {
  id: string
  email?: string
  data?: { email?: string }
}

/** Records of all ages in turn. */
export async function getRecords(lab: Lab, { setting, sides, address, ids }: Stage): Promise<Row[]> {
  const name = 'get by id'
  const requests: Requests = {
    service: ids.map((id) => recordRequest(address, id)),
    limit: ids.map((id) => limitRequest(`/people/${id}`)),
  }
  for (const [place, request] of requests.service.entries()) {
    const { id, data } = await send<OneRecord>(sides.service.url, request)
    const limit = await send<OneRecord>(sides.limit.url, requests.limit[place] ?? request)
    if (id !== limit.id || data?.email !== limit.email)
      throw new Error(`${name} is answered wrongly: ${SAME_FIELDS.join(' or ')} of ${limit.id}`)
  }
  const both = await measureBoth(setting, requests)
  lab.tell(`${name}: ${tellBoth(both)}`)
  return [
    ...httpRows(name, both),
    atMost({ case: name, unit: 'ms of SQL, record', ...sqlOf(both) }, 1.5, PAGE_MS),
  ]
}
