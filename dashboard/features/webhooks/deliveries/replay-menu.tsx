// A menu for replaying failed deliveries or events that were never sent.
import { Button, Menu } from '@mantine/core'
import { ChevronDown, CircleX, Inbox, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { ReplayDialog } from './replay-dialog.tsx'
import type { ReplayKind } from './replay-since.ts'

export function ReplayMenu({ endpointId }: { endpointId: string }) {
  const [kind, setKind] = useState<ReplayKind>()
  return (
    <>
      <Menu width={240}>
        <Menu.Target>
          <Button
            className="word-only"
            variant="default"
            leftSection={<RotateCw size={14} aria-hidden />}
            rightSection={<ChevronDown size={14} aria-hidden />}
          >
            Replay
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<CircleX size={14} aria-hidden />} onClick={() => setKind('failed')}>
            Replay all failed since…
          </Menu.Item>
          <Menu.Item leftSection={<Inbox size={14} aria-hidden />} onClick={() => setKind('missing')}>
            Replay missing since…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {kind && <ReplayDialog endpointId={endpointId} kind={kind} onClose={() => setKind(undefined)} />}
    </>
  )
}
