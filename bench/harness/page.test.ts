import { expect, test } from 'vitest'
import type { Row } from './figures.ts'
import { aboutOf, type BenchResult, renderPage } from './page.ts'

const row = (name: string, met: boolean | null): Row => ({
  ...{ case: name, figure: 2, unit: 'ms', limit: met === null ? null : 4 },
  ...{ ratio: met === null ? null : 0.5, target: met === null ? null : 1, met },
})

const result = (name: string, rows: Row[], failure?: string): BenchResult => ({
  ...{ name, summary: `what ${name} measures`, about: `About ${name}.\n`, rows, failure },
  ...{ tookSeconds: 61.4, shareSeconds: 60 },
})

const occasion = {
  command: 'all --quick',
  machine: '2 cores, 24 GB of memory',
  day: '2026-11-23',
  leftOut: ['peers'],
}

test('the page names the run, and how many targets each bench met', () => {
  const page = renderPage(
    [
      result('http', [row('GET', true), row('create', false), row('memory', null)]),
      result('files', [row('in', true)]),
    ],
    occasion,
  )
  expect(page).toContain(
    'Last run: 2026-11-23, 2 cores, 24 GB of memory, `npm run bench -- all --quick`. 2 of 3 targets met.',
  )
  expect(page).toContain('## `http`: what http measures\n\nAbout http.\n\n1 of 2 targets met.\n\n| case ')
  expect(page).toContain('## `files`: what files measures\n\nAbout files.\n\n1 of 1 targets met.')
})

test('the page names benches that failed, took too long or are not part of the run', () => {
  const quick = { ...result('files', [row('in', true)]), tookSeconds: 59 }
  const page = renderPage(
    [result('http', [], 'the port is taken\nhere'), result('records', []), quick],
    occasion,
  )
  expect(page).toContain('| `http` | 0 of 0 targets met | 61 s | Failed: the port is taken |')
  expect(page).toContain('| `records` | 0 of 0 targets met | 61 s | Over its share of 60 s |')
  expect(page).toContain('| `files` | 1 of 1 targets met | 59 s |  |')
  expect(page).toContain('Not part of this run: `peers`.')
})

test('the page leaves out the options --page and --json', () => {
  const command = 'all --page /tmp/a.md --quick --json=b.json'
  expect(renderPage([], { ...occasion, command })).toContain('`npm run bench -- all --quick`')
})

test('the page includes figures without a limit', () => {
  const page = renderPage([result('http', [row('GET', true), row('memory', null)])], occasion)
  expect(page).toMatch(/^\| GET /m)
  expect(page).toMatch(/^\| memory /m)
})

test('the page shows why a bench failed', () => {
  expect(renderPage([result('http', [], 'the port is taken')], occasion)).toContain(
    'About http.\n\nFailed: the port is taken\n',
  )
})

test.each(['http', 'webhooks', 'workflows', 'reports', 'files', 'records', 'fairness', 'peers'])(
  'the bench %s has a text about what it compares',
  async (name) => expect((await aboutOf(name)).length).toBeGreaterThan(100),
)
