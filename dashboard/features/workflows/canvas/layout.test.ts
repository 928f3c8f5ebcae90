import { describe, expect, it } from 'vitest'
import type { WorkflowStep } from '../../../../contract/workflows.ts'
import { type CanvasNode, END_ID, type Layout, layoutOf, NODE_SIZE, TRIGGER_ID } from './layout.ts'

const note = (key: string): WorkflowStep => ({ key, type: 'create_activity', config: { title: key } })
const loop = (key: string, steps: WorkflowStep[]): WorkflowStep => ({
  key,
  type: 'for_each',
  config: { items: [], as: 'person', steps },
})
const branch = (key: string, big: WorkflowStep[], otherwise: WorkflowStep[] = []): WorkflowStep => ({
  key,
  type: 'branch',
  config: { branches: [{ name: 'big', when: { and: [] }, steps: big }], else: otherwise },
})

const nodeOf = ({ nodes }: Layout, id: string): CanvasNode => {
  const node = nodes.find((one) => one.id === id)
  if (!node) throw new Error(`no node ${id} among ${nodes.map((one) => one.id).join(', ')}`)
  return node
}
const middle = ({ x, width }: CanvasNode) => x + width / 2

const overlaps = (a: CanvasNode, b: CanvasNode) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

/** Checks what is required of the layout of any workflow. */
function expectSound(layout: Layout): void {
  const drawn = layout.nodes.filter(({ kind }) => kind !== 'frame' && kind !== 'join')
  for (const [at, one] of drawn.entries())
    for (const other of drawn.slice(at + 1))
      expect(overlaps(one, other), `${one.id} lies on ${other.id}`).toBe(false)
  for (const { x, y, width, height } of layout.nodes) {
    expect(x).toBeGreaterThanOrEqual(0)
    expect(x + width).toBeLessThanOrEqual(layout.width)
    expect(y + height).toBeLessThanOrEqual(layout.height)
  }
  for (const { points } of layout.edges)
    for (const [at, { x, y }] of points.slice(1).entries()) {
      const before = points[at]
      // Lines are straight: each part goes down or to the side, never up.
      expect(before?.x === x || before?.y === y).toBe(true)
      expect(y).toBeGreaterThanOrEqual(before?.y ?? 0)
    }
  expect(new Set(layout.edges.map(({ id }) => id)).size).toBe(layout.edges.length)
}

describe('layoutOf', () => {
  it('connects trigger and end of an empty workflow, with a place for the first step', () => {
    const layout = layoutOf({ steps: [] })
    expect(layout.nodes.map(({ kind }) => kind)).toEqual(['trigger', 'end'])
    expect(layout.edges).toMatchObject([
      { from: TRIGGER_ID, to: END_ID, insertAt: { list: 'steps', index: 0 } },
    ])
    expectSound(layout)
  })

  it('draws steps below each other on one line', () => {
    const layout = layoutOf({ steps: [note('a'), note('b')] })
    const [a, b] = [nodeOf(layout, 'steps[0]'), nodeOf(layout, 'steps[1]')]
    expect(a.x).toBe(b.x)
    expect(b.y).toBeGreaterThan(a.y + a.height)
    expect(layout.edges.map(({ insertAt }) => insertAt.index)).toEqual([0, 1, 2])
    expect(layout.width).toBe(NODE_SIZE.width)
    expectSound(layout)
  })

  it('gives each branch a column, including empty ones, and joins them', () => {
    const layout = layoutOf({ steps: [branch('size', [note('a'), note('b')]), note('after')] })
    const a = nodeOf(layout, 'steps[0].config.branches[0].steps[0]')
    const head = nodeOf(layout, 'steps[0]')
    expect(middle(a)).toBeLessThan(middle(head))
    expect(a.runPath).toBe('steps[0].big.steps[0]')
    const ways = layout.edges.filter(({ from }) => from === 'steps[0]')
    expect(ways.map(({ label }) => label?.text)).toEqual(['big', 'Otherwise'])
    const [, otherwise] = ways
    expect(otherwise).toMatchObject({
      to: 'steps[0].join',
      insertAt: { list: 'steps[0].config.else', index: 0 },
    })
    expect(otherwise?.points[2]?.x).toBeGreaterThan(middle(head))
    expect(layout.edges.find(({ from }) => from === 'steps[0].join')).toMatchObject({ to: 'steps[1]' })
    expectSound(layout)
  })

  it('draws a frame around the steps of a loop, from the middle of its node', () => {
    const layout = layoutOf({ steps: [loop('each', [note('a')])] })
    const [head, frame] = [nodeOf(layout, 'steps[0]'), nodeOf(layout, 'steps[0].frame')]
    const inside = nodeOf(layout, 'steps[0].config.steps[0]')
    expect(frame.y).toBe(head.y + head.height / 2)
    expect(inside.x).toBeGreaterThan(frame.x)
    expect(inside.y + inside.height).toBeLessThan(frame.y + frame.height)
    expect(inside.runPath).toBe('steps[0].items[*].steps[0]')
    expectSound(layout)
  })

  it('draws no line from a step that ends the run', () => {
    const stop: WorkflowStep = { key: 'halt', type: 'stop', config: {} }
    const layout = layoutOf({ steps: [branch('size', [stop], [stop]), note('never'), stop] })
    expect(layout.edges.some(({ to }) => to === 'steps[0].join')).toBe(false)
    expect(layout.nodes.some(({ kind }) => kind === 'end')).toBe(false)
    expectSound(layout)
  })

  it('draws deeply nested steps without overlaps', () => {
    const inner = branch('inner', [loop('people', [note('a'), branch('again', [note('b')], [note('c')])])])
    expectSound(
      layoutOf({ steps: [note('first'), branch('size', [inner, note('d')], [loop('none', [])]), note('e')] }),
    )
  })

  it('draws a draft with missing lists', () => {
    expectSound(
      layoutOf({
        steps: [
          { key: 'a', type: 'branch', config: {} },
          { key: 'b', type: 'for_each', config: { steps: 'none' } },
        ],
      }),
    )
  })
})
