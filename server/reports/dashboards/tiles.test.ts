import { expect, test } from 'vitest'
import type { ReportTile } from '../../../contract/report-dashboards.ts'
import { layoutProblems } from './tiles.ts'

const tile = (more: Partial<ReportTile>): ReportTile => ({
  ...{ id: 'a', reportId: 'r', x: 0, y: 0, w: 6, h: 4 },
  ...more,
})
const reported = (tiles: readonly ReportTile[]) =>
  layoutProblems(tiles, new Set(['r'])).map(({ path, code }) => `${path} ${code}`)

test.each<[string, Partial<ReportTile>, string[]]>([
  ['next to the first', { id: 'b', x: 6 }, []],
  ['below the first', { id: 'b', y: 4 }, []],
  ['on the first', { id: 'b', x: 5, y: 3 }, ['tiles[1] overlap']],
  ['with the same id', { x: 6 }, ['tiles[1].id duplicate']],
  ['over the edge', { id: 'b', x: 7 }, ['tiles[1].w off_grid']],
  ['below the last row', { id: 'b', y: 498 }, ['tiles[1].h off_grid']],
  ['of an unknown report', { id: 'b', x: 6, reportId: 'missing' }, ['tiles[1].reportId unknown_report']],
])('a second tile %s', (_, second, problems) => {
  expect(reported([tile({}), tile(second)])).toEqual(problems)
})
