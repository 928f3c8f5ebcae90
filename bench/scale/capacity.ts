// How many requests per second cells, directory and API nodes can handle, and which of them is the limit.
import { type Inputs, mixed } from './inputs.ts'
import { busiest, groups, moveLargest, placeByCount } from './organizations.ts'

/** Cores of each machine: of each cell, of the directory and of each API node. */
export const CORES = 8
/** Maximum share of a machine's cores that are busy: above it, waiting times grow fast. */
export const BUSY_MAX = 0.7
/** Number of organizations that an operator moves. */
export const MOVED = 1000
const REFRESHES_PER_SECOND = 2.5
const IDLE_SECONDS = 10
/** A process restarts once a day at a random time, and then asks the directory once for each key. */
const PROCESS_SECONDS = 86_400

/** Where requests are counted. `affine`: in memory, and a load balancer sends all requests of a key to one process. */
export type Store = 'database' | 'memory' | 'affine'

export interface Plan {
  cells: number
  /** Shares of all load, largest organization first. */
  shares: Float64Array
  /** Where requests are counted: in the cell of their organization, or in memory. */
  store: Store
  /** Whether the largest organizations were moved to the cells with the least load. */
  isMoved: boolean
  /** Cores of the cell of the largest organization, as a multiple of another cell's cores. */
  largestCores?: number
}

export interface Capacity {
  /** Requests per second of the whole installation. */
  rate: number
  limit: 'a cell' | 'the cell of the largest organization' | 'the directory'
  /** Share of all load that the busiest cell has. */
  busiestShare: number
  /** Node processes that this rate needs. */
  processes: number
  /** Share of the directory's cores that are busy. */
  directoryBusy: number
}

const machineMs = 1000 * CORES * BUSY_MAX

/** CPU ms of a cell for one request. */
export const postgresMs = ({ operations, admission }: Inputs, store: Store): number =>
  mixed((operation) => operations[operation].postgresMs) + (store === 'database' ? admission.postgresMs : 0)

/** CPU ms of Node for one request. */
export const nodeMs = ({ operations, admission }: Inputs, store: Store): number =>
  mixed((operation) => operations[operation].nodeMs) + (store === 'database' ? admission.nodeMs : 0)

const processesFor = (inputs: Inputs, store: Store, rate: number) =>
  Math.ceil((rate * nodeMs(inputs, store)) / (1000 * BUSY_MAX))

/** Number of different keys in `seconds`, added up over all processes. Each organization has one key. */
function keysOfProcesses(inputs: Inputs, { shares, store }: Plan, rate: number, seconds: number): number {
  const processes = store === 'affine' ? 1 : processesFor(inputs, store, rate)
  let known = 0
  for (const { share, count } of groups(shares))
    known += count * (1 - Math.exp((-share * rate * seconds) / processes))
  return processes * known
}

/**
 * CPU ms of the directory per second. Each process asks it which cells have all changes of keys, and asks for each key
 * that the process does not know yet. Both are counted as a statement that checks a key and counts; they cost less.
 */
export function directoryMs(inputs: Inputs, plan: Plan, rate: number): number {
  const questions = processesFor(inputs, plan.store, rate) * REFRESHES_PER_SECOND
  const firsts = keysOfProcesses(inputs, plan, rate, PROCESS_SECONDS) / PROCESS_SECONDS
  return (questions + firsts) * inputs.admission.postgresMs
}

/** CPU ms of all cells per second for renewing the keys that processes used in the last ten seconds. */
export const renewalMs = (inputs: Inputs, plan: Plan, rate: number): number =>
  plan.store === 'database'
    ? 0
    : keysOfProcesses(inputs, plan, rate, IDLE_SECONDS) * REFRESHES_PER_SECOND * inputs.renewal.postgresMs

/** The rate up to `highest` at which `load` reaches `most`. `load` grows with the rate. */
function rateAt(most: number, load: (rate: number) => number, highest: number): number {
  if (load(highest) <= most) return highest
  let [low, high] = [0, highest]
  for (let step = 0; step < 30; step++) {
    const middle = (low + high) / 2
    if (load(middle) > most) high = middle
    else low = middle
  }
  return low
}

/** The highest rate at which no machine is busier than `BUSY_MAX`. */
export function capacityOf(inputs: Inputs, plan: Plan): Capacity {
  const { shares, cells, isMoved, largestCores = 1 } = plan
  const loads = isMoved ? moveLargest(shares, cells, MOVED) : placeByCount(shares, cells)
  const [largest = 0] = shares
  const others = loads.toSorted().at(-2) ?? 0
  const busiestShare = largestCores === 1 ? busiest(loads) : Math.max(busiest(loads) / largestCores, others)
  const requestMs = postgresMs(inputs, plan.store) * busiestShare
  // All cells have about the same number of keys.
  const ofCells = rateAt(
    machineMs,
    (at) => at * requestMs + renewalMs(inputs, plan, at) / cells,
    machineMs / requestMs,
  )
  const rate = rateAt(machineMs, (at) => directoryMs(inputs, plan, at), ofCells)
  const isDirectory = rate < ofCells * 0.999
  return {
    rate,
    limit: isDirectory
      ? 'the directory'
      : largest > busiestShare / 2
        ? 'the cell of the largest organization'
        : 'a cell',
    busiestShare,
    processes: processesFor(inputs, plan.store, rate),
    directoryBusy: directoryMs(inputs, plan, rate) / (1000 * CORES),
  }
}
