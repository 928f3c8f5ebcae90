// The Grafana dashboard follows the rules of grafana/dashboard-linter. Test names are the names of rules.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from './imports.ts'

interface Source {
  type: string
  uid: string
}

interface Panel {
  id: number
  type: string
  title: string
  description?: string
  datasource?: Source
  gridPos: { x: number; y: number; w: number; h: number }
  fieldConfig?: { defaults: { unit?: string } }
  targets?: { refId: string; expr: string; legendFormat: string; datasource: Source }[]
}

interface Variable {
  type: string
  name: string
  label: string
  query: string | { query: string }
  datasource?: Source
  refresh: number
  multi: boolean
  allValue?: string
}

interface Dashboard {
  panels: Panel[]
  editable: boolean
  templating: { list: Variable[] }
}

const dashboard: Dashboard = JSON.parse(readFileSync(join(root, 'deploy/grafana/rapport.json'), 'utf8'))
const { panels, templating } = dashboard
const graphs = panels.filter(({ type }) => type !== 'row')
const CHOSEN: Source = { type: 'prometheus', uid: `\${datasource}` }

/** The Grafana units that fit our metrics. */
const UNITS = ['short', 'percentunit', 's', 'bytes', 'ops', 'reqps']

describe('variables', () => {
  const [datasource, ...asked] = templating.list

  test('template-datasource-rule', () => {
    expect(datasource).toMatchObject({
      ...{ type: 'datasource', name: 'datasource', label: 'Data source', query: 'prometheus' },
    })
  })

  test('template-job-rule, template-instance-rule', () => {
    expect(asked.map(({ name, label }) => [name, label])).toEqual([
      ['job', 'Job'],
      ['instance', 'Instance'],
    ])
  })

  test.each(asked)(
    '$name: template-label-promql-rule, template-on-time-change-reload-rule',
    ({ name: _, label: __, ...variable }) => {
      expect(variable).toMatchObject({
        ...{ type: 'query', multi: true, allValue: '.+', datasource: CHOSEN, refresh: 2 },
        query: { query: expect.stringMatching(/^label_values\(\w+(?:\{job=~"\$job"\})?, \w+\)$/) },
      })
    },
  )
})

/** Selectors of metrics, each with the function around it and its range. */
const selectorsOf = (expr: string) =>
  [...expr.matchAll(/(?:(\w+)\()?\b((?:rapport|process|nodejs)_\w+)(\{[^}]*\})?(\[[^\]]*\])?/g)].map(
    ([, around = '', metric = '', labels = '', range = '']) => ({ around, metric, labels, range }),
  )

describe('panels', () => {
  test('have unique numbers, titles and places', () => {
    expect(graphs.length).toBeGreaterThan(15)
    for (const of of ['id', 'title'] as const)
      expect(new Set(panels.map((panel) => panel[of])).size).toBe(panels.length)
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, n) => `${x + (n % w)} ${y + Math.floor(n / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
  })

  test.each(graphs)(
    '$title: panel-*-rule',
    ({ title, description, datasource, fieldConfig, targets = [] }) => {
      expect(title).not.toBe('')
      expect(description).toMatch(/\.$/)
      expect(datasource).toEqual(CHOSEN)
      expect(UNITS).toContain(fieldConfig?.defaults.unit)
      expect(targets).not.toEqual([])
      expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length)
    },
  )

  test.each(graphs)('$title: target-*-rule', ({ targets = [] }) => {
    for (const { expr, legendFormat, datasource } of targets) {
      expect(datasource).toEqual(CHOSEN)
      expect(legendFormat).not.toBe('')
      expect(selectorsOf(expr)).not.toEqual([])
      for (const { around, metric, labels, range } of selectorsOf(expr)) {
        expect(labels).toContain('job=~"$job", instance=~"$instance"')
        if (/^i?rate$/.test(around)) expect(range).toBe('[$__rate_interval]')
        if (/_(?:total|count|sum|bucket)$/.test(metric)) expect(around).toMatch(/^(?:rate|increase)$/)
      }
    }
  })

  test('the panel of failed requests leaves out the routes of probes and of metrics', () => {
    const { targets = [] } = graphs.find(({ title }) => title === 'Failed requests') ?? {}
    const labels = targets.flatMap(({ expr }) => selectorsOf(expr)).map((one) => one.labels)
    expect(labels).toHaveLength(2)
    for (const one of labels) expect(one).toContain('route!~"/healthz|/readyz|/metrics"')
  })
})

test('uneditable-dashboard: changes are made in the repository, because an import replaces all others', () => {
  expect(dashboard.editable).toBe(false)
})
