// Every table with rows of an organization must be listed here for erasures, also each new table.
import { expect, test } from 'vitest'
import { organizationTables } from '../test/organization-data.ts'
import { sharedTestService } from '../test/shared-service.ts'

const service = await sharedTestService()

/** Tables with the step of erase/steps.ts that removes data of an erased record. */
const ERASED: Readonly<Record<string, string>> = {
  activities: 'activities',
  attachment_changes: 'kept',
  attachments: 'records, activities: with what they are attached to',
  comment_texts: 'records, trash',
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
  record_job_chunks: 'record-jobs',
  record_job_results: 'record-jobs',
  record_jobs: 'record-jobs',
  records: 'records',
  reminders: 'notifications',
  report_runs: 'report-runs, report-definitions',
  stat_changes: 'counters',
  stat_ids: 'counters',
  stat_number: 'counters',
  stat_text: 'counters',
  svix_messages: 'deliveries',
  trash: 'trash',
  trash_activities: 'activities, kept',
  trash_attachments: 'records, trash, activities',
  trash_comments: 'records, trash',
  trash_files: 'trash',
  trash_links: 'trash, kept',
  trash_objects: 'trashed-views',
  trash_values: 'kept',
  uniques: 'records',
  views: 'views-of-deleted: of other objects, mentions are listed',
  webhook_attempts: 'deliveries',
  webhook_deliveries: 'deliveries',
  webhook_messages: 'deliveries',
  workflow_run_steps: 'runs',
  workflow_run_values: 'runs',
  workflow_runs: 'runs',
  workflow_versions: 'workflow-versions: except the current version, whose mentions are listed',
}

/**
 * Tables without values of records: settings, ids and counts. Users edit the texts of settings themselves; mentions in
 * views, reports and workflows are listed.
 */
const WITHOUT_VALUES = [
  'api_keys',
  'attributes',
  'case_changes',
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
  'record_retention',
  'report_dashboards',
  'reports',
  'run_cancellations',
  'svix_applications',
  'trash_attributes',
  'undo_conflicts',
  'undo_jobs',
  'value_rewrites',
  'webhook_endpoints',
  'webhook_hours',
  'webhook_lanes',
  'webhook_replays',
  'workflow_secrets',
  'workflows',
]

test('erasures handle every table of an organization', async () => {
  const known = [...Object.keys(ERASED), ...WITHOUT_VALUES].sort()
  expect(await organizationTables(service.ctx.db)).toEqual(known)
})
