// Consumes events and starts the workflows that wait for them, in the transaction that claims their outbox entries.
import type { Sql } from 'sql-template-tag'
import { ifNotFound } from '../../base/errors.ts'
import { parseJson } from '../../base/json.ts'
import type { Db } from '../../db/pool.ts'
import { createDispatch, type Sink } from '../../events/dispatch.ts'
import { type OutboxEntry, selectWaitingConsumers } from '../../events/outbox-entries.ts'
import {
  findDeletedModel,
  type ModelContext,
  type ObjectModel,
  withModel,
} from '../../model/attributes/models.ts'
import { selectFilterMembers } from '../../records/filters/named-members.ts'
import { unparsedLeaves } from '../../records/filters/parse.ts'
import type { Locale } from '../../records/values/attribute.ts'
import type { WorkflowContext } from '../context.ts'
import { createRuns, type RunDraft } from '../engine/create-runs.ts'
import { type DefinitionOf, loadDefinitions } from '../engine/definitions.ts'
import { reportNotStarted } from '../engine/failed-run.ts'
import { lockTriggers, selectCandidates, selectEventData, type TriggerCandidate } from './candidates-store.ts'
import { brokenRunOf, type Occurrence, runOf } from './drafts.ts'
import { loadTargets } from './targets.ts'

interface Options {
  ctx: WorkflowContext
  queue: Db
  now: () => Sql
}

/** The models of the objects of all candidates, by id. */
async function loadModels(
  { models }: Pick<WorkflowContext, 'models'>,
  tx: Db,
  candidates: readonly TriggerCandidate[],
): Promise<Map<string, ObjectModel>> {
  const found = new Map<string, ObjectModel>()
  for (const { org, objectId } of candidates) {
    if (objectId === null || found.has(objectId)) continue
    const model =
      (await withModel({ db: tx, models }, org, objectId, async (model) => model).catch(
        ifNotFound(undefined),
      )) ?? (await findDeletedModel(tx, org, objectId))
    if (model) found.set(objectId, model)
  }
  return found
}

/** Sorts candidates in the order in which the changes were written. */
function inOrder(
  candidates: readonly TriggerCandidate[],
  entries: readonly OutboxEntry[],
): TriggerCandidate[] {
  const events = entries.toSorted((a, b) => a.id - b.id).flatMap(({ events }) => events)
  const places = new Map(events.map((event, place) => [event, place]))
  return candidates.toSorted((a, b) => (places.get(a.event) ?? 0) - (places.get(b.event) ?? 0))
}

/** The members that trigger filters name by email, by organization. */
async function loadMembers(tx: Db, candidates: readonly TriggerCandidate[], definitionOf: DefinitionOf) {
  const found = new Map<number, Locale['members']>()
  for (const [org, ofOne] of Map.groupBy(candidates, (candidate) => candidate.org)) {
    const filters = ofOne.map((candidate) => definitionOf(candidate)?.triggerConfig?.filter)
    found.set(org, await selectFilterMembers(tx, org, filters))
  }
  return found
}

/** Whether a filter may follow a reference. */
const hasPath = (filter: unknown) =>
  [...unparsedLeaves(filter)].some(({ attributeSlug: slug }) => String(slug).includes('.'))

/** Adds the records behind references in filters. They are read once for all events of a workflow. */
async function withTargets(ctx: ModelContext, occurrences: readonly Occurrence[]): Promise<Occurrence[]> {
  const following = occurrences.filter(({ definition }) => hasPath(definition?.triggerConfig?.filter))
  const found = new Map<Occurrence, Occurrence['targets']>()
  for (const ofOne of Map.groupBy(following, ({ definition }) => definition).values()) {
    const [{ model, definition } = {}] = ofOne
    if (!model) continue
    const data = ofOne.map(({ event }) => parseJson(event.data) as Readonly<Record<string, unknown>>)
    const targets = await loadTargets(ctx, model, { filter: definition?.triggerConfig?.filter, data })
    for (const one of ofOne) found.set(one, targets)
  }
  return occurrences.map((one) => ({ ...one, targets: found.get(one) }))
}

async function occurrencesOf({ ctx }: Options, tx: Db, candidates: readonly TriggerCandidate[]) {
  const definitionOf = await loadDefinitions(tx, candidates)
  const models = await loadModels(ctx, tx, candidates)
  const members = await loadMembers(tx, candidates, definitionOf)
  const distinct = new Map(candidates.map((candidate) => [candidate.event, candidate]))
  const events = new Map(
    (await selectEventData(tx, [...distinct.values()])).map((event) => [event.id, event]),
  )
  const occurrences = candidates.flatMap((candidate): Occurrence[] => {
    const event = events.get(candidate.event)
    const model = candidate.objectId === null ? undefined : models.get(candidate.objectId)
    const definition = definitionOf(candidate)
    return event ? [{ candidate, event, model, definition, members: members.get(candidate.org) }] : []
  })
  return withTargets({ db: tx, models: ctx.models }, occurrences)
}

/** A trigger that cannot be evaluated becomes a failed run with the reason, so that other workflows do not wait. */
function draftsOf({ ctx }: Options, occurrences: readonly Occurrence[]): RunDraft[] {
  return occurrences.flatMap((occurrence) => {
    try {
      return runOf(occurrence) ?? []
    } catch (err) {
      ctx.log.error({ err, workflow: occurrence.candidate.workflow }, 'the trigger of a workflow failed')
      return brokenRunOf(occurrence)
    }
  })
}

const toRuns =
  (options: Options): Sink<string> =>
  async (tx, entries, now) => {
    const candidates = inOrder(await selectCandidates(tx, entries, now), entries)
    if (candidates.length === 0) return []
    const occurrences = await occurrencesOf(options, tx, candidates)
    const placed = await createRuns(tx, draftsOf(options, occurrences), now)
    const names = new Map(candidates.map(({ workflow, workflowName }) => [workflow, workflowName]))
    const named = placed.map((run) => ({ ...run, workflowName: names.get(run.workflow) ?? '' }))
    await reportNotStarted(tx, named, candidates[0]?.now ?? '')
    return placed.map(({ id }) => id)
  }

/** Runs one transaction at a time on all nodes. @returns a round, which returns whether there may be more work */
export function createTriggers(options: Options): () => Promise<boolean> {
  const { queue, now } = options
  const serialQueue: Db = {
    ...queue,
    transaction: (work) =>
      queue.transaction(async (tx) => {
        await lockTriggers(tx)
        return work(tx)
      }),
  }
  const dispatch = createDispatch(serialQueue, { consumer: 'workflows', now, sink: toRuns(options) })
  return async () =>
    (await selectWaitingConsumers(queue)).includes('workflows') && (await dispatch.round()) !== undefined
}
