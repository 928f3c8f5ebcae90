// Paths in JSON in the notation of the service: `steps[1].config.branches[0].when.operator`.

export type Segment = string | number

const SEGMENT = /([^.[\]]+)|\[(\d+)\]/g

export const parsePath = (path: string): Segment[] =>
  [...path.matchAll(SEGMENT)].map(([, name, index]) => (index === undefined ? (name ?? '') : Number(index)))

export const joinPath = (segments: readonly Segment[]): string =>
  segments.reduce<string>(
    (path, segment) =>
      typeof segment === 'number' ? `${path}[${segment}]` : path === '' ? segment : `${path}.${segment}`,
    '',
  )

type Container = Record<Segment, unknown>
const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null

/** The value at the path; undefined if the path does not exist. */
export const getAt = (value: unknown, segments: readonly Segment[]): unknown =>
  segments.reduce<unknown>(
    (at, segment) => (isContainer(at) && Object.hasOwn(at, segment) ? at[segment] : undefined),
    value,
  )

/** A copy with another value at the path; undefined removes the value. Values outside of the path are shared. */
export function setAt<T>(value: T, segments: readonly Segment[], replacement: unknown): T {
  const [first, ...rest] = segments
  if (first === undefined) return replacement as T
  const inner = setAt<unknown>(isContainer(value) ? value[first] : undefined, rest, replacement)
  if (Array.isArray(value) && typeof first === 'number') return value.with(first, inner) as T
  const others = isContainer(value) ? value : {}
  if (inner === undefined)
    return Object.fromEntries(Object.entries(others).filter(([name]) => name !== first)) as T
  return { ...others, [first]: inner } as T
}
