// Reading: each question with its total and without, one request at a time.
import type { Row } from '../harness/figures.ts'
import type { Lab } from '../harness/lab.ts'
import { allowed, atMost, p50, p95, withRatio } from '../harness/rows.ts'
import { type Measured, measureBoth, type Requests, type Sides, tellBoth } from './measure.ts'
import { firstOf, type Question } from './questions.ts'
import { limitRequest, pageRequest, recordRequest } from './requests.ts'
import type { Stage } from './stage.ts'
import { requireSamePage, send } from './verify.ts'

const HTTP_P95_MS = 15
const TOTAL_MS = 2
const PAGE_MS = 3
const OFFSET_MS = 5
/** Maximum multiple of the limit's time. */
const SQL_TARGET = 1.5
/** Maximum multiple of the first page's time. */
const CURSOR_TARGET = 1.2

type Both = Record<keyof Sides, Measured>

const sqlOf = ({ service, limit }: Both) => ({ ours: p50(service.sqlMs), limit: p50(limit.sqlMs) })

function httpRows(name: string, { service, limit }: Both, isBounded: boolean): Row[] {
  const [ours, theirs] = [service.latenciesMs, limit.latenciesMs]
  return [
    withRatio({ case: name, unit: 'ms over HTTP, p50', ours: p50(ours), limit: p50(theirs) }),
    isBounded
      ? allowed(name, 'ms over HTTP, p95 allowed', p95(ours), HTTP_P95_MS)
      : withRatio({ case: name, unit: 'ms over HTTP, p95', ours: p95(ours), limit: p95(theirs) }),
  ]
}

function pageRow({ name, offset, isFreeText }: Question, page: Both): Row {
  const times = { case: name, unit: 'ms of SQL, page', ...sqlOf(page) }
  if (offset !== undefined) return allowed(name, 'ms of SQL, page allowed', times.ours, OFFSET_MS)
  return atMost(times, SQL_TARGET, isFreeText ? 0 : PAGE_MS)
}

const isAlongReference = ({ filters }: Question) => filters.some(([slug]) => slug.includes('.'))

/** Whether the total cannot be added up from counts of values. */
const isPlanned = (question: Question) => question.filters.length > 1 || isAlongReference(question)

function sqlRows(question: Question, whole: Both, page: Both): Row[] {
  const { name, isCountable } = question
  const both = { case: name, unit: 'ms of SQL, page and total', ...sqlOf(whole) }
  const total = Math.max(0, both.ours - sqlOf(page).ours)
  return [
    isPlanned(question) ? atMost(both, SQL_TARGET) : withRatio(both),
    pageRow(question, page),
    ...(isCountable ? [allowed(name, 'ms of SQL, total allowed', total, TOTAL_MS)] : []),
  ]
}

async function measureQuestion(lab: Lab, stage: Stage, question: Question, count: boolean): Promise<Both> {
  const { setting, sides, address, limit: theirs } = stage
  const place = theirs.places.get(question.name) ?? 0
  const cursor = theirs.cursors.get(question.name)
  const service = pageRequest(address, question, { count, cursor })
  const limit = limitRequest(`/questions/${count ? place : place + 1}`)
  await requireSamePage(
    question.name,
    { service: sides.service.url, limit: sides.limit.url },
    { service, limit },
  )
  const both = await measureBoth(setting, { service: [service], limit: [limit] })
  lab.tell(`${question.name}${count ? '' : ', page only'}: ${tellBoth(both)}`)
  return both
}

/** A page by cursor should take as long as the first page, wherever it begins. */
async function cursorRows(lab: Lab, stage: Stage, question: Question, page: Both): Promise<Row[]> {
  const { name } = question
  const first = stage.questions.find((one) => one.name === firstOf(question))
  if (!first) return []
  const firstPage = await measureQuestion(lab, stage, first, false)
  const times = { ours: sqlOf(page).ours, limit: sqlOf(firstPage).ours }
  return [atMost({ case: name, unit: 'ms of SQL, page, limit: page 1', ...times }, CURSOR_TARGET)]
}

/** Measures one question with its total and without. @throws Error when the answer is wrong */
export async function askQuestion(lab: Lab, stage: Stage, question: Question): Promise<Row[]> {
  const whole = await measureQuestion(lab, stage, question, true)
  const page = await measureQuestion(lab, stage, question, false)
  return [
    ...httpRows(question.name, whole, !question.isFreeText && !isAlongReference(question)),
    ...sqlRows(question, whole, page),
    ...(question.behind === undefined ? [] : await cursorRows(lab, stage, question, page)),
  ]
}

interface OneRecord {
  id: string
  email?: string
  data?: { email?: string }
}

/** Measures gets of records of all ages. */
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
      throw new Error(`${name} is answered wrongly: ${id} with ${data?.email}, in the limit ${limit.email}`)
  }
  const both = await measureBoth(setting, requests)
  lab.tell(`${name}: ${tellBoth(both)}`)
  return [
    ...httpRows(name, both, true),
    atMost({ case: name, unit: 'ms of SQL, record', ...sqlOf(both) }, SQL_TARGET, PAGE_MS),
  ]
}
