// Where the user is signed in, each place with its end.
import { Button } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Monitor, Smartphone } from 'lucide-react'
import { toast, toastError } from '../../../../shared/toast.ts'
import { useSubmit } from '../../../../shared/use-submit.ts'
import classes from '../../../../ui/data-table.module.css'
import { Section } from '../../../../ui/sections.tsx'
import { ColumnMoment } from '../../../../ui/time.tsx'
import { type Device, devicesQuery, endOtherSessions, endSession } from '../../../identity/api.ts'
import { deviceName, isHandheld } from '../device-name.ts'

/** A request after which the list is read again. @param done what a note says then */
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

function DeviceRow({ device }: { device: Device }) {
  const name = deviceName(device.userAgent)
  const { submit, isBusy } = useEnding(endSession, `Signed out of ${name}`)
  const Icon = isHandheld(device.userAgent) ? Smartphone : Monitor
  return (
    <tr>
      <td>
        <div className="row shrink gap-8">
          <Icon className="muted" size={16} aria-hidden />
          <div className="shrink">
            <span className={classes.cut}>{name}</span>
            <span className={`${classes.cut} ${classes.second}`}>
              {device.address && `${device.address}, `}signed in <ColumnMoment value={device.createdAt} />
            </span>
          </div>
        </div>
      </td>
      <td className={classes.fit}>
        {device.isCurrent ? (
          <span className="tag good tiny">This device</span>
        ) : (
          <ColumnMoment value={device.lastSeen} />
        )}
      </td>
      <td className={classes.rowAction}>
        {!device.isCurrent && (
          <Button
            variant="subtle"
            color="gray"
            loading={isBusy}
            onClick={() => void submit(device.id)}
            aria-label={`End session: ${name}`}
          >
            End session
          </Button>
        )}
      </td>
    </tr>
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

export function Devices() {
  const { data: devices } = useSuspenseQuery(devicesQuery())
  return (
    <Section
      title="Sessions"
      description="Where you are signed in. End sessions you do not recognize, then change your password."
      actions={devices.length > 1 && <EndOthers />}
    >
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Device</th>
            <th scope="col" className={classes.fit}>
              Last seen
            </th>
            <th scope="col">
              <span className="visually-hidden">End</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {devices.map((device) => (
            <DeviceRow key={device.id} device={device} />
          ))}
        </tbody>
      </table>
    </Section>
  )
}
