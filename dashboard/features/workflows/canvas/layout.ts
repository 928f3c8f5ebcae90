// The layout of a workflow: top to bottom, a column for each branch, a frame around each loop.
import type { WorkflowDefinition, WorkflowStep } from '../../../../contract/workflows.ts'
import { STEP_VIEWS } from '../steps/steps.ts'
import { type ChildList, childLists, type InsertionPoint, rootList, type StepList } from './lists.ts'

export interface Point {
  x: number
  y: number
}

export interface Box extends Point {
  width: number
  height: number
}

/** `join`: invisible node where branches join, a loop ends, or a list is empty. `frame`: around a loop. */
export type NodeKind = 'trigger' | 'step' | 'frame' | 'join' | 'end'

export interface CanvasNode extends Box {
  /** For a step, its path in the definition: `steps[1].config.branches[0].steps[0]`. */
  id: string
  kind: NodeKind
  /** For a step, its path in a run's history: `steps[2].items[*].steps[0]`. */
  runPath: string
  step?: WorkflowStep
}

export interface CanvasEdge {
  id: string
  from: string
  to: string
  /** Corners of the line. */
  points: readonly Point[]
  /** Label of the line, such as the name of a branch. */
  label?: { text: string; at: Point }
  /** Place of a new step between the two nodes, and the position of the button that adds it. */
  insertAt: InsertionPoint
  plus: Point
}

export interface Layout {
  /** In reading order. */
  nodes: readonly CanvasNode[]
  edges: readonly CanvasEdge[]
  width: number
  height: number
}

export const TRIGGER_ID = 'trigger'
export const END_ID = 'end'
export const NODE_SIZE = { width: 280, height: 60 } as const
const END_SIZE = { width: 56, height: 24 } as const

const GAP = 48
const COLUMN_GAP = 32
/** Distance from a branch step to the horizontal line of its columns. */
const SPLIT = 20
/** Distance from that line, or from a loop, to the first step inside: space for a label and a plus button. */
const LEAD = 70
/** Distance from the last step inside to the join. */
const TAIL = 44
const PADDING = 28
const LABEL_AT = 18
const PLUS_AT = 46

interface Size {
  width: number
  height: number
}

const childrenOf = (step: WorkflowStep): ChildList[] => childLists(step, '', '')
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

function sizeOfList(steps: readonly WorkflowStep[]): Size {
  const sizes = steps.map(sizeOf)
  return {
    width: Math.max(NODE_SIZE.width, ...sizes.map(({ width }) => width)),
    height: sum(sizes.map(({ height }) => height)) + Math.max(0, steps.length - 1) * GAP,
  }
}

function sizeOf(step: WorkflowStep): Size {
  const inside = childrenOf(step).map(({ steps }) => sizeOfList(steps))
  if (inside.length === 0) return NODE_SIZE
  const width = sum(inside.map((size) => size.width)) + (inside.length - 1) * COLUMN_GAP
  const height = Math.max(...inside.map((size) => size.height))
  if (step.type === 'branch') return { width, height: NODE_SIZE.height + SPLIT + LEAD + height + TAIL }
  return { width: width + 2 * PADDING, height: NODE_SIZE.height + LEAD + height + TAIL }
}

/** The start of a line to the next node. */
interface Way {
  from: string
  points: readonly Point[]
  label?: { text: string; at: Point }
  plus: Point
}

interface Sketch {
  nodes: CanvasNode[]
  edges: CanvasEdge[]
}

/** @param at middle of the upper edge */
function addNode(sketch: Sketch, node: Omit<CanvasNode, keyof Point>, at: Point): void {
  sketch.nodes.push({ ...node, x: at.x - node.width / 2, y: at.y })
}

function connect(
  sketch: Sketch,
  { from, ...way }: Way,
  to: string,
  corners: readonly Point[],
  insertAt: InsertionPoint,
) {
  const id = `${insertAt.list}[${insertAt.index}]`
  sketch.edges.push({ id, from, to, ...way, points: [...way.points, ...corners], insertAt })
}

const wayFrom = (from: string, at: Point): Way => ({
  from,
  points: [at],
  plus: { x: at.x, y: at.y + GAP / 2 },
})

/** @param top start of the line into the list, above its first step */
const wayInto = (from: string, { label }: ChildList, points: readonly Point[], top: Point): Way => ({
  from,
  points,
  label: { text: label, at: { x: top.x, y: top.y + LABEL_AT } },
  plus: { x: top.x, y: top.y + PLUS_AT },
})

/** Whether the step ends the run, so that no step follows. */
export const isLast = ({ type }: WorkflowStep) => STEP_VIEWS[type]?.endsRun === true

/** @returns the line that leaves the list; undefined if its last step ends the run */
function placeList(sketch: Sketch, list: StepList, at: Point, into: Way): Way | undefined {
  let way: Way | undefined = into
  let { y } = at
  for (const [index, step] of list.steps.entries()) {
    const ids = { path: `${list.path}[${index}]`, runPath: `${list.runPath}[${index}]` }
    const top = { x: at.x, y }
    if (way) connect(sketch, way, ids.path, [top], { list: list.path, index })
    way = placeStep(sketch, { step, ...ids }, top)
    y += sizeOf(step).height + GAP
  }
  return way
}

const room = (path: string) => ({
  id: `${path}.empty`,
  kind: 'join' as const,
  runPath: '',
  width: NODE_SIZE.width,
  height: 0,
})

interface Placed {
  step: WorkflowStep
  path: string
  runPath: string
}

function placeStep(sketch: Sketch, placed: Placed, top: Point): Way | undefined {
  const { step, path, runPath } = placed
  const bottom = { x: top.x, y: top.y + NODE_SIZE.height }
  if (step.type === 'for_each') addFrame(sketch, placed, top)
  addNode(sketch, { id: path, kind: 'step', runPath, step, ...NODE_SIZE }, top)
  const lists = childLists(step, path, runPath)
  if (lists.length === 0) return isLast(step) ? undefined : wayFrom(path, bottom)
  const end = { x: top.x, y: top.y + sizeOf(step).height }
  const join = `${path}.join`
  const columns =
    step.type === 'branch' ? branchColumns(path, lists, bottom) : [loopColumn(path, lists, bottom)]
  for (const { list, top: first, way } of columns) {
    // An empty node, so that the bounds of all nodes include the column.
    if (list.steps.length === 0) addNode(sketch, room(list.path), first)
    const out = placeList(sketch, list, first, way)
    const corners = first.x === end.x ? [end] : [{ x: first.x, y: end.y }, end]
    if (out) connect(sketch, out, join, corners, { list: list.path, index: list.steps.length })
  }
  addNode(sketch, { id: join, kind: 'join', runPath: '', width: 0, height: 0 }, end)
  return wayFrom(join, end)
}

interface Column {
  list: StepList
  /** Position of the first step. */
  top: Point
  way: Way
}

function loopColumn(path: string, [list]: readonly ChildList[], bottom: Point): Column {
  const inside = list as ChildList
  return {
    list: inside,
    top: { x: bottom.x, y: bottom.y + LEAD },
    way: wayInto(path, inside, [bottom], bottom),
  }
}

function branchColumns(path: string, lists: readonly ChildList[], bottom: Point): Column[] {
  const widths = lists.map(({ steps }) => sizeOfList(steps).width)
  const left = bottom.x - (sum(widths) + (lists.length - 1) * COLUMN_GAP) / 2
  const split = { x: bottom.x, y: bottom.y + SPLIT }
  return lists.map((list, index) => {
    const width = widths[index] ?? NODE_SIZE.width
    const x = left + sum(widths.slice(0, index)) + index * COLUMN_GAP + width / 2
    const corner = { x, y: split.y }
    const points = x === bottom.x ? [bottom] : [bottom, split, corner]
    return { list, top: { x, y: split.y + LEAD }, way: wayInto(path, list, points, corner) }
  })
}

/** The frame begins at the middle of the loop's node, which covers its upper border, and ends where the loop ends. */
function addFrame(sketch: Sketch, { step, path, runPath }: Placed, top: Point): void {
  const { width, height } = sizeOf(step)
  const half = NODE_SIZE.height / 2
  const size = { width, height: height - half }
  addNode(
    sketch,
    { id: `${path}.frame`, kind: 'frame', runPath, step, ...size },
    { x: top.x, y: top.y + half },
  )
}

/** The layout of the whole workflow, from trigger to end. Coordinates begin at 0. */
export function layoutOf({ steps }: Pick<WorkflowDefinition, 'steps'>): Layout {
  const sketch: Sketch = { nodes: [], edges: [] }
  const list = rootList(steps)
  const size = sizeOfList(steps)
  const x = size.width / 2
  addNode(sketch, { id: TRIGGER_ID, kind: 'trigger', runPath: '', ...NODE_SIZE }, { x, y: 0 })
  const first = { x, y: NODE_SIZE.height + GAP }
  const way = placeList(sketch, list, first, wayFrom(TRIGGER_ID, { x, y: NODE_SIZE.height }))
  const end = { x, y: steps.length === 0 ? first.y : first.y + size.height + GAP }
  if (way) {
    addNode(sketch, { id: END_ID, kind: 'end', runPath: '', ...END_SIZE }, end)
    connect(sketch, way, END_ID, [end], { list: list.path, index: steps.length })
  }
  return { ...sketch, width: size.width, height: end.y + (way ? END_SIZE.height : -GAP) }
}
