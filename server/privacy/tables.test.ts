// Each table with rows of an organization is known to erasures: one that is added is entered here.
import { expect, test } from 'vitest'
import { buildTestService } from '../test/build-app.ts'
import { organizationTables } from '../test/organization-data.ts'

const service = await buildTestService()

/** With the step of erase/steps.ts that removes what it has of an erased record. */
const ERASED: Readonly<Record<string, string>> = {
  activities: 'activities',
  attachments: 'records, activities: with what they are attached to',
  comments: 'records, trash',
  events: 'events',
  files: 'files',
  idempotent_answers: 'answers',
  import_chunks: 'imports',
  import_claims: 'imports',
  import_failures: 'imports',
  imports: 'imports',
  index_missing: 'records',
  index_number: 'records',
  index_search: 'records',
  index_text: 'records',
  links: 'records',
  merge_changes: 'kept',
  merged_records: 'kept',
  merges: 'kept',
  notifications: 'notifications',
  record_pictures: 'records',
  records: 'records',
  reminders: 'notifications',
  report_runs: 'report-runs',
  stat_changes: 'counters',
  stat_ids: 'counters',
  stat_number: 'counters',
  stat_text: 'counters',
  svix_messages: 'deliveries',
  trash: 'trash',
  trash_files: 'trash',
  trash_links: 'trash, kept',
  trash_values: 'kept',
  uniques: 'records',
  webhook_attempts: 'deliveries',
  webhook_deliveries: 'deliveries',
  webhook_messages: 'deliveries',
  workflow_run_steps: 'runs',
  workflow_run_values: 'runs',
  workflow_runs: 'runs',
}

/** Without values of records: settings, ids and counts. Texts that people write in settings are theirs to change. */
const WITHOUT_VALUES = [
  'api_keys',
  'attributes',
  'change_set_batches',
  'creator_backfills',
  'deleted_objects',
  'duplicate_groups',
  'duplicate_rules',
  'duplicate_searches',
  'event_listeners',
  'event_pending',
  'file_usage',
  'former_members',
  'inboxes',
  'member_turns',
  'move_changes',
  'moved_tokens',
  'moves',
  'notification_settings',
  'objects',
  'organization_moves',
  'organizations',
  'portal_tokens',
  'privacy_requests',
  'reassignments',
  'report_dashboards',
  'reports',
  'run_cancellations',
  'svix_applications',
  'trash_attributes',
  'trash_objects',
  'undo_conflicts',
  'undo_jobs',
  'value_rewrites',
  'views',
  'webhook_endpoints',
  'webhook_hours',
  'webhook_lanes',
  'webhook_replays',
  'workflow_secrets',
  'workflow_versions',
  'workflows',
]

test('an erasure knows every table of an organization', async () => {
  const known = [...Object.keys(ERASED), ...WITHOUT_VALUES].sort()
  expect(await organizationTables(service.ctx.db)).toEqual(known)
})
