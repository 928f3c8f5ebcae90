// A workflow as a picture: fitted to its frame, moved and zoomed by mouse, touch and buttons. Steps are buttons, so the
// keyboard can go from step to step, and the picture follows.
import '@xyflow/react/dist/base.css'
import { Box } from '@mantine/core'
import {
  Controls,
  type Edge,
  EdgeLabelRenderer,
  type EdgeProps,
  Handle,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  type ReactFlowInstance,
  ReactFlowProvider,
  useReactFlow,
} from '@xyflow/react'
import { type CSSProperties, type FocusEvent, useMemo, useRef } from 'react'
import classes from './canvas.module.css'
import { CanvasContext, type CanvasParts, useCanvas } from './canvas-context.ts'
import { type CanvasEdge, type CanvasNode, type Layout, NODE_SIZE, type Point } from './layout.ts'
import { NodeCard } from './node-card.tsx'

type FlowNode = Node<{ node: CanvasNode }>
type FlowEdge = Edge<{ edge: CanvasEdge }>

const HIDDEN = { visibility: 'hidden' } as const

/** Invisible handles, which the library requires for lines, although the canvas draws its own lines. */
function Ends() {
  return (
    <>
      <Handle type="target" position={Position.Top} isConnectable={false} style={HIDDEN} />
      <Handle type="source" position={Position.Bottom} isConnectable={false} style={HIDDEN} />
    </>
  )
}

function StepNode({ data: { node } }: NodeProps<FlowNode>) {
  return (
    <>
      <NodeCard node={node} />
      <Ends />
    </>
  )
}

function FrameNode() {
  return <Box bg="var(--surface-hover)" w="100%" h="100%" bd="1px dashed var(--border-strong)" bdrs="lg" />
}

function EndNode() {
  return (
    <>
      <div className={classes.end}>End</div>
      <Ends />
    </>
  )
}

const nodeTypes = { trigger: StepNode, step: StepNode, frame: FrameNode, end: EndNode, join: Ends }

const pathThrough = (points: readonly Point[]) =>
  points.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${x},${y}`).join(' ')

const at = ({ x, y }: Point): CSSProperties => ({
  position: 'absolute',
  pointerEvents: 'all',
  transform: `translate(-50%, -50%) translate(${x}px, ${y}px)`,
})

function WayEdge({ data }: EdgeProps<FlowEdge>) {
  const { plusAt } = useCanvas()
  if (!data) return null
  const { points, label, insertAt, plus } = data.edge
  return (
    <>
      <path fill="none" stroke="var(--border-strong)" d={pathThrough(points)} />
      <EdgeLabelRenderer>
        {label && (
          <div className={classes.label} style={at(label.at)} title={label.text}>
            {label.text}
          </div>
        )}
        {plusAt && (
          <div className="nopan" style={at(plus)}>
            {plusAt(insertAt)}
          </div>
        )}
      </EdgeLabelRenderer>
    </>
  )
}

const edgeTypes = { way: WayEdge }

function toFlow({ nodes, edges }: Layout): { nodes: FlowNode[]; edges: FlowEdge[] } {
  return {
    nodes: nodes.map((node) => ({
      id: node.id,
      type: node.kind,
      position: { x: node.x, y: node.y },
      // The library waits for nodes without a size, so empty nodes get 1 px.
      width: Math.max(1, node.width),
      height: Math.max(1, node.height),
      data: { node },
      // Lines are above frames, cards are above lines.
      zIndex: node.kind === 'frame' ? -1 : 1,
    })),
    edges: edges.map((edge) => ({
      id: edge.id,
      type: 'way',
      source: edge.from,
      target: edge.to,
      data: { edge },
    })),
  }
}

/** The top padding leaves space for controls over the picture. */
const FIT = {
  padding: { top: '56px', right: '24px', bottom: '24px', left: '24px' },
  maxZoom: 1,
  minZoom: 0.2,
} as const
/** If the whole picture would be smaller than this zoom, its top is shown, as large as its width allows. */
const LEAST = 0.55
const READABLE = { least: 0.5, most: 0.75 } as const

type Flow = ReactFlowInstance<FlowNode, FlowEdge>

async function begin(flow: Flow, layout: Layout, frame: HTMLElement | null): Promise<void> {
  await flow.fitView(FIT)
  const first = flow.getNodes()[0]
  if (!first || !frame || flow.getZoom() >= LEAST) return
  const zoom = Math.min(READABLE.most, Math.max(READABLE.least, (frame.clientWidth - 48) / layout.width))
  const top = first.position.y + (frame.clientHeight / 2 - 56) / zoom
  await flow.setCenter(first.position.x + NODE_SIZE.width / 2, top, { zoom })
}

const LOCKED = {
  nodesDraggable: false,
  nodesConnectable: false,
  nodesFocusable: false,
  edgesFocusable: false,
  elementsSelectable: false,
  deleteKeyCode: null,
  selectionKeyCode: null,
  zoomOnDoubleClick: false,
} as const

/** Pixels that must be visible below a focused step, where the next steps and buttons are. */
const ROOM_BELOW = 110

/** Scrolls to the element with keyboard focus. Clicked elements are visible already. */
function useFollowFocus() {
  const flow = useReactFlow()
  return ({ target, currentTarget }: FocusEvent<HTMLElement>) => {
    // Popovers bubble focus events through React, but are outside of this element in the document.
    if (!currentTarget.contains(target) || !target.matches(':focus-visible')) return
    const [inner, outer] = [target.getBoundingClientRect(), currentTarget.getBoundingClientRect()]
    const isSeen =
      inner.top >= outer.top &&
      inner.bottom + ROOM_BELOW <= outer.bottom &&
      inner.left >= outer.left &&
      inner.right <= outer.right
    const middle = flow.screenToFlowPosition({
      x: inner.left + inner.width / 2,
      y: inner.top + inner.height / 2,
    })
    if (!isSeen) void flow.setCenter(middle.x, middle.y, { zoom: flow.getZoom() })
  }
}

interface CanvasProps extends CanvasParts {
  layout: Layout
  /** Label of the picture. */
  label: string
}

function Picture({ layout, label }: Pick<CanvasProps, 'layout' | 'label'>) {
  const flow = useMemo(() => toFlow(layout), [layout])
  const frame = useRef<HTMLElement>(null)
  const follow = useFollowFocus()
  return (
    <section ref={frame} className={classes.canvas} aria-label={label} onFocus={follow}>
      <ReactFlow
        {...flow}
        {...LOCKED}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        onInit={(instance) => void begin(instance, layout, frame.current)}
        minZoom={FIT.minZoom}
        maxZoom={1.5}
        panOnScroll
        proOptions={{ hideAttribution: true }}
      >
        <Controls showInteractive={false} fitViewOptions={FIT} position="bottom-left" />
      </ReactFlow>
    </section>
  )
}

export function Canvas({ layout, label, ...parts }: CanvasProps) {
  return (
    <CanvasContext value={parts}>
      <ReactFlowProvider>
        <Picture layout={layout} label={label} />
      </ReactFlowProvider>
    </CanvasContext>
  )
}
