// Secrets of workflows. They can be set and replaced, but never read.
import type { WorkflowSecret } from '../../../contract/workflow-dashboard.ts'
import { SECRET_NAME_PATTERN, SECRETS_MAX } from '../../../contract/workflow-states.ts'
import type { Author } from '../../base/caller.ts'
import { AppError, notFound } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import { requireStorable } from '../../http/storable.ts'
import type { WorkflowContext } from '../context.ts'
import { aboutSecret } from '../steps/secrets.ts'
import { countOtherSecrets, deleteSecretRow, getSecret, putSecretRow } from './store.ts'

/** @throws 400 validation_error, 409 limit_reached */
export function putSecret(
  { db, secrets }: Pick<WorkflowContext, 'db' | 'secrets'>,
  { org, userId }: Pick<Author, 'org' | 'userId'>,
  { name, value }: { name: string; value: string },
): Promise<WorkflowSecret> {
  requireStorable({ value })
  const sealed = secrets.seal(value, aboutSecret(org, name))
  return db.transaction(async (tx) => {
    if ((await countOtherSecrets(tx, org, name)) >= SECRETS_MAX)
      throw new AppError(
        'limit_reached',
        `There are already ${SECRETS_MAX} secrets, the maximum for an organization: delete one first`,
      )
    await putSecretRow(tx, org, { name, value: sealed, updatedBy: userId })
    return getSecret(tx, org, name)
  })
}

/** Steps that use the secret then fail. @throws 404 not_found */
export async function deleteSecret({ db }: { db: Db }, org: number, name: string): Promise<string> {
  const isName = new RegExp(SECRET_NAME_PATTERN, 'u').test(name)
  if (!isName || (await deleteSecretRow(db, org, name)) === 0) throw notFound('secret')
  return name
}
