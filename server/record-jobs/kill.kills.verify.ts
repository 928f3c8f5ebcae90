// kill -9 of the worker on a job before and after each of its transactions: each row is written exactly once.
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { JobFormat } from '../../contract/jobs.ts'
import { buildTestService } from '../test/build-app.ts'
import type { Org } from '../test/factories.ts'
import { createMortals } from '../test/mortal-children.ts'
import { createdJob, jobOf, linesOf, resultsOf, sendPiece } from './jobs.fixture.ts'
import type { Task } from './kill-fixture-process.ts'

const service = await buildTestService()
const { launch, live } = await createMortals<Task>(
  service,
  fileURLToPath(new URL('./kill-fixture-process.ts', import.meta.url)),
)

const ROWS = 12
const FAILED = 5
const NEVER = { death: 'never', at: 0 } as const

const people = Array.from({ length: ROWS }, (_, nr) => ({
  name: `P ${nr}`,
  email: nr === FAILED ? 'none' : `p${nr}@example.com`,
}))

const FILES = {
  ndjson: { type: 'application/x-ndjson', text: linesOf(people.map((data) => ({ data }))) },
  csv: {
    type: 'text/csv',
    text: ['Name,Email', ...people.map(({ name, email }) => `${name},${email}`)].join('\n'),
  },
} as const

/** Runs an import; if its worker is killed, another worker continues. @returns whether a worker was killed */
async function importPeople(format: keyof typeof FILES, task: Pick<Task, 'death' | 'at'>): Promise<boolean> {
  const org = await service.org()
  const { type, text } = FILES[format]
  const job = await createdJob(org, { format })
  expect((await sendPiece(org, job, text, { type })).body).toMatchObject({ isComplete: true })
  const given = { ref: { org: org.org, id: job.id }, rows: 4 }
  const wasKilled = await live(launch(), { ...task, ...given })
  if (wasKilled) await live(launch(), { ...NEVER, ...given })
  expect(await jobOf(org, job)).toMatchObject({
    status: 'completed',
    progress: { done: ROWS, created: ROWS - 1, failed: 1 },
  })
  const results = await resultsOf(service, org, job)
  expect(results.map(({ status }) => status)).toEqual(
    people.map((_, nr) => (nr === FAILED ? 'failed' : 'created')),
  )
  const events = await org.events()
  expect(events).toHaveLength(ROWS - 1)
  const { body } = await org.get<{ pagination: { total: number } }>('/objects/people/records?limit=1')
  expect(body.pagination.total).toBe(ROWS - 1)
  return wasKilled
}

/** Exports records in batches; if the worker is killed, another worker continues. @returns whether it was killed */
async function exportPeople(org: Org, format: JobFormat, task: Pick<Task, 'death' | 'at'>): Promise<boolean> {
  const job = await createdJob(org, { type: 'export', format, fields: ['email', 'company.domain'] })
  const given = { ref: { org: org.org, id: job.id }, rows: 4 }
  const wasKilled = await live(launch(), { ...task, ...given })
  if (wasKilled) await live(launch(), { ...NEVER, ...given })
  expect(await jobOf(org, job)).toMatchObject({ status: 'completed', progress: { exported: ROWS } })
  const { payload } = await service.inject({
    url: `/api/v1/jobs/${job.id}/file`,
    headers: { authorization: `Bearer ${org.key}` },
  })
  const emails = payload.split('\n').flatMap((line) => /p\d+@example\.com/.exec(line)?.[0] ?? [])
  expect(emails).toEqual(Array.from({ length: ROWS }, (_, nr) => `p${nr}@example.com`))
  expect(payload.match(/acme\.com/g)).toHaveLength(ROWS)
  return wasKilled
}

test.each(['ndjson', 'csv'] as const)(
  'each record is once in an exported file of %s, regardless of when the worker is killed',
  async (format) => {
    const org = await service.org()
    await org.post('/objects/companies/records', { data: { name: 'Acme', domain: 'acme.com' } })
    const records = Array.from({ length: ROWS }, (_, nr) => ({
      data: { name: `P ${nr}`, email: `p${nr}@example.com`, company: { domain: 'acme.com' } },
    }))
    await org.post('/objects/people/records/bulk', { records })
    for (const death of ['before', 'after'] as const)
      for (let at = 1, goesOn = true; goesOn; at++) {
        goesOn = await exportPeople(org, format, { death, at })
        if (!goesOn) expect(at).toBeGreaterThan(3)
      }
  },
)

test.each(['ndjson', 'csv'] as const)(
  'each row of a file of %s is written once, regardless of when the worker is killed',
  async (format) => {
    for (const death of ['before', 'after'] as const)
      for (let at = 1, goesOn = true; goesOn; at++) {
        goesOn = await importPeople(format, { death, at })
        if (!goesOn) expect(at).toBeGreaterThan(3)
      }
  },
)
