// Changes that are undone together: a change set, an import, a workflow run, a reassignment, or the changes of an API key.
import { type Static, Type } from 'typebox'
import { literals, Nullable, oneOf, Pagination, StrictObject, Timestamp, Uuid } from './common.ts'
import { ActingUser } from './members.ts'
import { pageParams } from './paging.ts'

const CHANGE_SET_KINDS = ['changeSet', 'import', 'workflowRun', 'apiKey', 'reassignment'] as const
export type ChangeSetKind = (typeof CHANGE_SET_KINDS)[number]

export const changeSetKind = oneOf(
  CHANGE_SET_KINDS,
  'changeSet: changes by requests with the same change set id. import: a CSV import. workflowRun: a workflow run. apiKey: changes by an API key in a time range. reassignment: records and tasks of a member that were given to another member',
)

const CHANGE_SET_ORIGINS = ['member', 'apiKey', 'job', 'undoJob'] as const

export const ChangeSet = StrictObject(
  {
    kind: changeSetKind,
    id: Type.String({
      ...Uuid,
      description: 'Id of the change set, import, workflow run, API key or reassignment',
    }),
    name: Nullable(Type.String(), {
      description:
        'Name of the file, workflow, API key, or member whose records were reassigned, for which a key needs members:read; null: it has no name, or was deleted',
    }),
    from: Type.String({ ...Timestamp, description: 'Time of the first change in the period' }),
    to: Type.String({ ...Timestamp, description: 'Time of the last change' }),
    changes: Type.Integer({
      description: 'Number of changes of records, activities, comments and files that can be undone',
    }),
    origin: Nullable(literals(CHANGE_SET_ORIGINS), {
      description:
        'Only for the kind changeSet. member: a member, in the dashboard or on the command line. apiKey: requests with an API key. job: a job of the API. undoJob: an undo job, which has the same id',
    }),
    actor: Nullable(ActingUser, {
      description:
        'Who made the first change: a member, the creator of the API key, or the owner of the workflow; null: the service itself, or a deleted user',
    }),
    apiKey: Nullable(
      StrictObject({ id: Uuid, name: Nullable(Type.String(), { description: 'null: deleted' }) }),
      { description: 'The API key of the first change; null: not made by an API key' },
    ),
    objectIds: Type.Array(Uuid, {
      description: 'Ids of the objects whose records were changed. Deleted objects are omitted',
    }),
    changed: Nullable(
      StrictObject({
        type: literals(['activity', 'comment']),
        id: Uuid,
        change: literals(['created', 'updated', 'deleted']),
        text: Nullable(Type.String(), {
          description:
            'The title of the activity, for which a key needs activities:read, or the beginning of the text of the comment, for which it needs comments:read; null: it was deleted, or the key lacks the scope',
        }),
      }),
      {
        description:
          'The activity or comment, if a change set has only one change, of an activity or a comment; otherwise null',
      },
    ),
  },
  { description: 'Changes of records, activities, comments and files that are undone together' },
)
export type ChangeSet = Static<typeof ChangeSet>

export const ChangeSetList = StrictObject({
  changeSets: Type.Array(ChangeSet),
  pagination: Pagination,
  isComplete: Type.Boolean({
    description:
      'false: the organization has more changes than the service searches. Then only the newest changes are searched for workflow runs and API keys. Older runs and changes by keys can be undone too',
  }),
})

export const ChangeSetListQuery = StrictObject(pageParams())
export type ChangeSetListQuery = Static<typeof ChangeSetListQuery>
