// Rules and transactions of saved views.

import { isDeepStrictEqual } from 'node:util'
import { VIEWS_PER_USER_MAX } from '../../contract/limits.ts'
import { isAtLeast, type Role } from '../../contract/roles.ts'
import type { NewView, View, ViewPatch } from '../../contract/views.ts'
import type { Caller } from '../base/caller.ts'
import { insufficientRole, invalidField } from '../base/errors.ts'
import type { Db } from '../db/pool.ts'
import { contentTag, requireMatch } from '../http/etag.ts'
import { requireStorable } from '../http/storable.ts'
import { type ModelContext, type ObjectModel, withModel } from '../model/attributes/models.ts'
import { getObject } from '../model/objects/store.ts'
import { requireState, surroundingsOf } from './state.ts'
import { deleteViewRow, findView, insertView, lockView, selectViews, updateView } from './store.ts'

/** The caller, and their role in the organization. */
export interface Viewer {
  caller: Caller
  role: Role
}

/** @throws 404 not_found */
export async function listViews({ db }: { db: Db }, caller: Caller, objectRef: string): Promise<View[]> {
  const { obj } = await getObject(db, caller.org, objectRef)
  return selectViews(db, caller, obj)
}

/** @throws 404 not_found */
export async function getView(
  { db }: { db: Db },
  caller: Caller,
  { objectId, viewId }: Pick<ViewRef, 'objectId' | 'viewId'>,
): Promise<View> {
  const { obj } = await getObject(db, caller.org, objectId)
  return findView(db, caller, { obj, viewId })
}

/** @throws 400 validation_error, invalid_filter, invalid_parameter, 404 not_found */
export function createView(
  ctx: ModelContext,
  caller: Caller,
  objectRef: string,
  { kind = 'table', isShared = false, name, state }: NewView,
): Promise<View> {
  requireStorable({ name, state })
  return withModel(ctx, caller.org, objectRef, async (model) => {
    requireState({ kind, state }, await surroundingsOf(ctx, caller, model, state))
    const view = await insertView(ctx.db, caller, model, { name, kind, isShared, state })
    if (view) return view
    // withModel checks that the model is current before this error is returned.
    const message = `You already have ${VIEWS_PER_USER_MAX} views of this object: delete one first`
    throw invalidField('', 'too_many_views', message)
  })
}

interface ViewRef {
  objectId: string
  viewId: string
  ifMatch: string | undefined
}

/** A shared view can be changed by its creator and by admins. @throws 403, 404, 412 */
async function lockChangeable(
  tx: Db,
  { caller, role }: Viewer,
  model: ObjectModel,
  { viewId, ifMatch }: ViewRef,
) {
  const view = await lockView(tx, caller, model, viewId)
  requireMatch(ifMatch, contentTag(view))
  if (view.createdBy.id !== caller.userId && !isAtLeast(role, 'admin')) throw insufficientRole('admin')
  return view
}

/** @throws 400 validation_error, invalid_filter, invalid_parameter, 403 insufficient_role, 404 not_found, 412 */
export function patchView(
  ctx: ModelContext,
  viewer: Viewer,
  { patch, ...ref }: ViewRef & { patch: ViewPatch },
): Promise<View> {
  requireStorable(patch)
  return withModel(ctx, viewer.caller.org, ref.objectId, (model) =>
    ctx.db.transaction(async (tx) => {
      const before = await lockChangeable(tx, viewer, model, ref)
      const wanted = { ...before, ...patch }
      // An unsent state may contain deleted attributes, which must not prevent a new name.
      if (patch.state || patch.kind)
        requireState(wanted, await surroundingsOf({ ...ctx, db: tx }, viewer.caller, model, wanted.state))
      return isDeepStrictEqual(wanted, before) ? before : updateView(tx, viewer.caller.org, wanted)
    }),
  )
}

/** @returns its id @throws 403 insufficient_role, 404 not_found, 412 precondition_failed */
export function deleteView(ctx: ModelContext, viewer: Viewer, ref: ViewRef): Promise<string> {
  return withModel(ctx, viewer.caller.org, ref.objectId, (model) =>
    ctx.db.transaction(async (tx) => {
      const { id } = await lockChangeable(tx, viewer, model, ref)
      await deleteViewRow(tx, viewer.caller.org, id)
      return id
    }),
  )
}
