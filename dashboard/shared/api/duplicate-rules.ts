// The rules by which two records of an object count as duplicates.
import type { DuplicateRule } from '../../../contract/duplicates.ts'
import { request } from './client.ts'
import { fieldQuery } from './queries.ts'

export type { DuplicateRule }

/** The key begins with the key of the objects, because changes of attributes change the rules. */
export const duplicateRulesQuery = (org: string, object: string) =>
  fieldQuery(
    [org, 'objects', object, 'duplicate-rules'],
    'GET /objects/:objectId/duplicate-rules',
    { org, params: { objectId: object } },
    'rules',
  )

export const switchDuplicateRule = (
  org: string,
  object: string,
  { id, isActive }: Pick<DuplicateRule, 'id' | 'isActive'>,
) =>
  request('PATCH /objects/:objectId/duplicate-rules/:ruleId', {
    org,
    params: { objectId: object, ruleId: id },
    body: { isActive },
  })
