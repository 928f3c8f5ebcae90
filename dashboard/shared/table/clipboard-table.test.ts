import { describe, expect, test } from 'vitest'
import { toHtmlTable } from './clipboard-html.ts'
import { type SpanningCell, withoutSpans } from './clipboard-table.ts'

const cell = (text: string, columns = 1, rows = 1): SpanningCell => ({ text, columns, rows })
const texts = (rows: SpanningCell[][]) => withoutSpans(rows).map((cells) => cells.map(({ text }) => text))

describe('withoutSpans', () => {
  test.each<[string, SpanningCell[][], string[][]]>([
    [
      'a plain block',
      [
        [cell('a'), cell('b')],
        [cell('c'), cell('d')],
      ],
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a merged header',
      [
        [cell('Q1', 2), cell('x')],
        [cell('a'), cell('b'), cell('c')],
      ],
      [
        ['Q1', '', 'x'],
        ['a', 'b', 'c'],
      ],
    ],
    [
      'a cell that spans two rows',
      [[cell('a', 1, 2), cell('b')], [cell('c')]],
      [
        ['a', 'b'],
        ['', 'c'],
      ],
    ],
    [
      'a cell that spans two rows and two columns',
      [[cell('a', 2, 2), cell('b')], [cell('c')]],
      [
        ['a', '', 'b'],
        ['', '', 'c'],
      ],
    ],
    ['spans below the last row', [[cell('a', 1, 9), cell('b')]], [['a', 'b']]],
    ['a span of no columns', [[cell('a', 0), cell('b')]], [['a', 'b']]],
  ])('%s', (_, rows, expected) => {
    expect(texts(rows)).toEqual(expected)
  })

  test('cuts a span that is larger than any sheet', () => {
    expect(withoutSpans([[cell('a', 1_000_000)]])[0]).toHaveLength(1000)
  })
})

test('toHtmlTable writes the values of cells and escapes their markup', () => {
  const html = toHtmlTable([[{ text: '<b>&\nmore', kind: 'text', value: '"<b>"' }, { text: 'shown' }]])
  expect(html).toBe(
    '<table><tr><td data-kind="text" data-value="&quot;\\&quot;&lt;b&gt;\\&quot;&quot;">&lt;b&gt;&amp;<br>more</td><td>shown</td></tr></table>',
  )
})
