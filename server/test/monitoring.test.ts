// Metrics and alerts: all named ones exist, and docs/operators/monitoring.md describes all of them.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { describe, expect, test } from 'vitest'
import { modules, root } from './imports.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found ?? '')

const page = read('docs/operators/monitoring.md')
const rules = read('deploy/prometheus/rapport.rules.yaml')
const ruleTests = read('deploy/prometheus/rapport.rules.test.yaml')
const dashboardText = read('deploy/grafana/rapport.json')

const isTest = (file: string) => /\.test\.ts$|\.verify\.ts$|^server\/test\//.test(file)
const own = modules
  .filter(({ file }) => file.startsWith('server/') && !isTest(file))
  .flatMap(({ text }) => all(text, /\bname: '(rapport_\w+)'/g))

/** The name of the histogram for the series that Prometheus stores. */
const asMeasured = (name: string) => name.replace(/(_seconds)_(?:bucket|count|sum)$/, '$1')
const metricsIn = (text: string) => [
  ...new Set(all(text, /\b((?:rapport|process|nodejs)_\w*[a-z\d])\b/g).map(asMeasured)),
]

describe('metrics', () => {
  test('are all on the page, each once, without others', () => {
    expect(own.length).toBeGreaterThan(20)
    expect(all(page, /^\| `(rapport_\w+)` \|/gm).toSorted()).toEqual(own.toSorted())
  })

  test.each([
    'deploy/prometheus/rapport.rules.yaml',
    'deploy/prometheus/rapport.rules.test.yaml',
    'deploy/grafana/rapport.json',
    ...globSync('docs/operators/*.md', { cwd: root }),
  ])('%s names only existing metrics', async (path) => {
    const registry = new Registry()
    collectDefaultMetrics({ register: registry })
    const known = [...own, ...(await registry.getMetricsAsJSON()).map(({ name }) => name)]
    expect(metricsIn(read(path)).filter((name) => !known.includes(name))).toEqual([])
  })
})

describe('alerts', () => {
  const [, ...blocks] = rules.split(/^ {6}- alert: /m)
  const alerts = blocks.map((block) => ({ name: block.split('\n')[0] ?? '', block }))

  test('each have a section on the page, in the same order', () => {
    const [, sections = ''] = page.split(/^## Alerts$/m)
    expect(alerts.length).toBeGreaterThan(10)
    expect(all(sections, /^### (.+)$/gm)).toEqual(alerts.map(({ name }) => name))
  })

  test('are defined in no page, and all alerts named by pages exist', () => {
    const pages = globSync('docs/operators/*.md', { cwd: root }).map(read)
    expect(pages.filter((text) => /^ *- alert: /m.test(text))).toEqual([])
    const named = all([...pages, dashboardText].join('\n'), /\b(Rapport[A-Z][a-z]\w+)/g)
    expect([...new Set(named)].filter((name) => !alerts.some((alert) => alert.name === name))).toEqual([])
  })

  test('do not count failed requests of probes', () => {
    const { block = '' } = alerts.find(({ name }) => name === 'RapportErrors') ?? {}
    const counted = all(block, /rapport_http_request_duration_seconds_count(\{[^}]*\})/g)
    expect(counted).toHaveLength(3)
    expect(counted.filter((labels) => !labels.includes('route!~"/healthz|/readyz|/metrics"'))).toEqual([])
  })

  test.each(alerts)('$name fires in a test of the rules', ({ name }) => {
    expect(ruleTests).toContain(`alertname="${name}"`)
  })

  test.each(alerts)(
    '$name has a severity, a summary, a description and a link to its section',
    ({ name, block }) => {
      expect(block).toMatch(/^ {8}for: \d+[mh]$/m)
      expect(block).toMatch(/^ {8}labels: \{ severity: (?:critical|warning) \}$/m)
      expect(block).toMatch(/^ {10}summary: \S/m)
      expect(block).toMatch(/^ {10}description: '\S/m)
      expect(block).toContain(`runbook: docs/operators/monitoring.md#${name.toLowerCase()}\n`)
    },
  )
})
