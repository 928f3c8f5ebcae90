// The sessions of the user by device, each with a button that ends it.
import { Button } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Monitor, Smartphone } from 'lucide-react'
import { toast, toastError } from '../../../shared/toast.ts'
import { useSubmit } from '../../../shared/use-submit.ts'
import { Line, SecondLine } from '../../../ui/data-table/cells.tsx'
import type { Columns } from '../../../ui/data-table/columns.ts'
import { DataTable } from '../../../ui/data-table/data-table.tsx'
import { Section } from '../../../ui/sections.tsx'
import { ColumnTime } from '../../../ui/time.tsx'
import { type Device, devicesQuery, endOtherSessions, endSession } from '../../identity/api.ts'
import { deviceName, isHandheld } from '../keys/device-name.ts'

/** Sends a request, then reloads the list. @param done the message after success */
function useEnding<Input>(action: (input: Input) => Promise<unknown>, done: string) {
  const client = useQueryClient()
  return useSubmit(async (input: Input) => {
    try {
      await action(input)
      toast(done)
    } catch (error) {
      toastError(error)
    }
    await client.invalidateQueries({ queryKey: devicesQuery().queryKey })
  })
}

function Name({ device: { userAgent, address, createdAt } }: { device: Device }) {
  const Icon = isHandheld(userAgent) ? Smartphone : Monitor
  return (
    <div className="row shrink gap-8">
      <Icon className="muted" size={16} aria-hidden />
      <div className="shrink">
        <Line>{deviceName(userAgent)}</Line>
        <SecondLine>
          {address && `${address}, `}signed in <ColumnTime value={createdAt} />
        </SecondLine>
      </div>
    </div>
  )
}

function EndButton({ device }: { device: Device }) {
  const name = deviceName(device.userAgent)
  const { submit, isBusy } = useEnding(endSession, `Signed out of ${name}`)
  return (
    <Button
      variant="subtle"
      color="gray"
      loading={isBusy}
      onClick={() => void submit(device.id)}
      aria-label={`End session: ${name}`}
    >
      End session
    </Button>
  )
}

function EndOthers() {
  const { submit, isBusy } = useEnding(endOtherSessions, 'Signed out everywhere else')
  return (
    <Button variant="default" loading={isBusy} onClick={() => void submit(undefined)}>
      End all others
    </Button>
  )
}

const COLUMNS: Columns<Device> = [
  { title: 'Device', kind: 'name', cell: (device) => <Name device={device} /> },
  {
    title: 'Last seen',
    isFit: true,
    cell: ({ isCurrent, lastSeen }) =>
      isCurrent ? <span className="tag good tiny">This device</span> : <ColumnTime value={lastSeen} />,
  },
  {
    title: 'End',
    kind: 'actions',
    cell: (device) => !device.isCurrent && <EndButton device={device} />,
  },
]

export function Devices() {
  const { data: devices } = useSuspenseQuery(devicesQuery())
  return (
    <Section
      title="Sessions"
      description="Where you are signed in. End sessions you do not recognize, then change your password."
      actions={devices.length > 1 && <EndOthers />}
    >
      <DataTable columns={COLUMNS} rows={devices} />
    </Section>
  )
}
