// Which notifications the signed-in member receives, and how.
import { Group, Switch } from '@mantine/core'
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import {
  KIND_NAMES,
  MAIL_CHOICES,
  type MailChoice,
  type NotificationKind,
} from '../../../contract/notification-kinds.ts'
import type { NotificationSettingsPatch } from '../../../contract/notifications.ts'
import { TIME_ZONES, zoneLabel } from '../../shared/time-zone-select.tsx'
import { toastError } from '../../shared/toast.ts'
import { useOrganization } from '../../shared/use-organization.ts'
import type { Columns } from '../../ui/data-table/columns.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { dateFormat } from '../../ui/dates.ts'
import { SettingsPage } from '../../ui/sections.tsx'
import { Select } from '../../ui/select.tsx'
import { type NotificationSettings, notificationSettingsQuery, patchNotificationSettings } from './api.ts'
import { KINDS } from './list/words.ts'

const MAIL: Readonly<Record<MailChoice, string>> = { off: 'Off', now: 'Immediately', daily: 'Daily' }

type Change = (patch: NotificationSettingsPatch) => void

function Kinds({ kinds, onChange }: { kinds: NotificationSettings['kinds']; onChange: Change }) {
  const set = (kind: NotificationKind, part: Partial<(typeof kinds)[NotificationKind]>) =>
    onChange({ kinds: { [kind]: { ...kinds[kind], ...part } } })
  const columns: Columns<{ id: NotificationKind }> = [
    {
      title: 'When',
      cell: ({ id }) => (
        <>
          <strong className="medium">{KINDS[id].name}</strong>
          <p className="muted small">{KINDS[id].when}</p>
        </>
      ),
    },
    {
      title: 'Inbox',
      isFit: true,
      cell: ({ id }) => (
        <Switch
          aria-label={`${KINDS[id].name} in the inbox`}
          checked={kinds[id].inApp}
          onChange={({ currentTarget }) => set(id, { inApp: currentTarget.checked })}
        />
      ),
    },
    {
      title: 'Email',
      isFit: true,
      cell: ({ id }) => (
        <Select
          aria-label={`${KINDS[id].name} by email`}
          data={MAIL_CHOICES.map((value) => ({ value, label: MAIL[value] }))}
          value={kinds[id].mail}
          onChange={(mail) => mail && set(id, { mail: mail as MailChoice })}
          allowDeselect={false}
          w={128}
        />
      ),
    },
  ]
  return <DataTable columns={columns} rows={KIND_NAMES.map((id) => ({ id }))} />
}

const hourLabel = (hour: number) =>
  dateFormat({ hour: 'numeric', minute: '2-digit', timeZone: 'UTC' }).format(Date.UTC(2026, 0, 1, hour))
const HOURS = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: hourLabel(hour) }))

function Digest({ settings, onChange }: { settings: NotificationSettings; onChange: Change }) {
  const zones = [...new Set([...(settings.timeZone ? [settings.timeZone] : []), ...TIME_ZONES])]
  return (
    <Group align="flex-start">
      <Select
        label="Daily email at"
        data={HOURS}
        value={String(settings.digestHour)}
        onChange={(hour) => hour && onChange({ digestHour: Number(hour) })}
        allowDeselect={false}
        w={160}
      />
      <Select
        label="Time zone"
        placeholder="Same as the organization"
        data={zones.map((zone) => ({ value: zone, label: zoneLabel(zone) }))}
        value={settings.timeZone}
        onChange={(timeZone) => onChange({ timeZone })}
        searchable
        clearable
        limit={60}
        nothingFoundMessage="No matching time zones"
        w={280}
      />
    </Group>
  )
}

function useSettings(org: string) {
  const client = useQueryClient()
  const query = notificationSettingsQuery(org)
  const { data: settings } = useSuspenseQuery(query)
  const { mutate } = useMutation({
    mutationFn: (patch: NotificationSettingsPatch) => patchNotificationSettings(org, patch),
    onMutate: (patch) => {
      client.setQueryData(query.queryKey, (before) =>
        before === undefined
          ? before
          : ({ ...before, ...patch, kinds: { ...before.kinds, ...patch.kinds } } as NotificationSettings),
      )
    },
    onError: (error) => toastError(error),
    onSettled: () => client.invalidateQueries({ queryKey: query.queryKey }),
  })
  return { settings, change: mutate }
}

export function NotificationSettingsPage() {
  const { organization } = useOrganization()
  const { settings, change } = useSettings(organization.slug)
  return (
    <SettingsPage
      title="Notifications"
      lead={`What ${organization.name} notifies you of, in the inbox and by email.`}
    >
      <Kinds kinds={settings.kinds} onChange={change} />
      <Digest settings={settings} onChange={change} />
    </SettingsPage>
  )
}
