// Checks with the service which cells of a pasted block can be written.
import { BULK_MAX } from '../../../../contract/limits.ts'
import type { CellProblem, CheckedRow } from '../../../../contract/pasted-cells.ts'
import { request } from '../../../shared/api/client.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import { problemWords } from '../../../shared/api/problem-words.ts'
import type { CrmRecord, RecordData } from '../../../shared/api/records.ts'
import type { CellChange } from '../../../shared/records/change-cells.ts'
import { sameValue } from '../../../shared/records/same-value.ts'
import { isMoney } from '../../../shared/values/format.ts'
import type { PastePlan } from './paste-plan.ts'

/** Equal cells with the same problem are counted together. */
export interface PasteProblem {
  column: string
  /** The pasted text. */
  text: string
  /** A sentence. */
  reason: string
  count: number
  /** The first such cell, if it is in an existing record. */
  cell?: { recordId: string; slug: string }
}

export interface CheckedPaste {
  /** Cells of existing records that get another value. */
  changes: CellChange[]
  /** Number of cells that already have the value. */
  same: number
  /** Values of new records. */
  creations: RecordData[]
  problems: PasteProblem[]
}

interface Asking {
  org: string
  object: string
  /** Currency of the organization. */
  currency: string
  plan: PastePlan
  /** Existing records for the first rows of the block. Further rows create records. */
  records: readonly CrmRecord[]
  onProgress(done: number): void
}

function reasonOf(problem: CellProblem, attribute: Attribute | undefined): string {
  if (problem.code !== 'invalid_reference') return problemWords({ ...problem, path: '' })
  if (attribute?.type === 'member') return 'No member has this name or email address'
  return problem.message.startsWith('several')
    ? 'Several records have this name: paste a unique value, such as a domain'
    : 'No record has this name'
}

/** An amount without a currency gets the currency of the cell, else that of the organization. */
function completed(
  { type }: Pick<Attribute, 'type'>,
  value: unknown,
  before: unknown,
  otherwise: string,
): unknown {
  if (type !== 'currency') return value
  if (Array.isArray(value)) return value.map((one) => completed({ type }, one, before, otherwise))
  const [own] = [before].flat()
  const currency = isMoney(own) ? own.currency : otherwise
  return isMoney(value) ? { ...value, currency: value.currency ?? currency } : value
}

class Gathered {
  readonly #changes: CellChange[] = []
  readonly #creations: RecordData[] = []
  readonly #problems = new Map<string, PasteProblem>()
  readonly #asking: Asking
  #same = 0

  constructor(asking: Asking) {
    this.#asking = asking
  }

  result(): CheckedPaste {
    return {
      changes: this.#changes,
      same: this.#same,
      creations: this.#creations,
      problems: [...this.#problems.values()],
    }
  }

  take({ data, problems, isRefused }: CheckedRow, index: number): void {
    const record = this.#asking.records[index]
    for (const problem of problems) this.#refuse(problem, index, record)
    if (isRefused) return
    if (!record) this.#creations.push(this.#created(data))
    else for (const attribute of this.#asking.plan.attributes) this.#change(record, attribute, data)
  }

  #created(data: RecordData): RecordData {
    const { plan, currency } = this.#asking
    const typed = plan.attributes.filter(({ slug }) => Object.hasOwn(data, slug) && data[slug] !== null)
    return Object.fromEntries(
      typed.map((attribute) => [
        attribute.slug,
        completed(attribute, data[attribute.slug], undefined, currency),
      ]),
    )
  }

  #change(record: CrmRecord, attribute: Attribute, data: RecordData): void {
    const { slug } = attribute
    if (!Object.hasOwn(data, slug)) return
    const before = record.data[slug]
    const to = completed(attribute, data[slug], before, this.#asking.currency)
    if (sameValue(before, to)) this.#same++
    else this.#changes.push({ record, attribute, to })
  }

  #refuse(problem: CellProblem, index: number, record: CrmRecord | undefined): void {
    const { attributes, shown } = this.#asking.plan
    const slug = problem.attributeSlug
    const at = attributes.findIndex((attribute) => attribute.slug === slug)
    const attribute = attributes[at]
    const text = shown[index]?.[at] ?? ''
    const reason = reasonOf(problem, attribute)
    const column = attribute?.name ?? slug ?? 'Record'
    const key = JSON.stringify([column, text, reason])
    const known = this.#problems.get(key)
    if (known) known.count++
    else {
      const cell = record && slug !== null ? { cell: { recordId: record.id, slug } } : {}
      this.#problems.set(key, { column, text, reason, count: 1, ...cell })
    }
  }
}

/** Checks 100 rows per request. `onProgress` receives the number of checked rows. @throws ApiError */
export async function checkPaste(asking: Asking, signal?: AbortSignal): Promise<CheckedPaste> {
  const { org, object, plan, records } = asking
  const columns = plan.attributes.map(({ slug }) => slug)
  const gathered = new Gathered(asking)
  for (let from = 0; from < plan.rows.length; from += BULK_MAX) {
    const rows = plan.rows.slice(from, from + BULK_MAX).map((cells, at) => {
      const id = records[from + at]?.id
      return { ...(id !== undefined && { id }), cells: [...cells] }
    })
    const checked = await request('POST /objects/:objectId/pasted-cells/check', {
      org,
      params: { objectId: object },
      body: { columns, rows },
      signal,
    })
    for (const [at, row] of checked.rows.entries()) gathered.take(row, from + at)
    asking.onProgress(Math.min(plan.rows.length, from + BULK_MAX))
  }
  return gathered.result()
}
