// The actions of an endpoint. Rare and irreversible actions are in the menu.
import { ActionIcon, Button, Group, Menu, Text, Tooltip } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CircleCheck, CircleSlash, Ellipsis, Pencil, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { ConfirmDialog } from '../../../shared/confirm-dialog.tsx'
import { useShortcuts } from '../../../ui/use-shortcuts.ts'
import { deleteEndpoint, type Endpoint, endpointQuery, endpointsQuery } from '../api/webhooks.ts'
import { ReplayMenu } from '../deliveries/replay-menu.tsx'
import { useEndpointSearch } from '../endpoint-search.ts'
import { useSpace } from '../space.tsx'
import { formatWaiting } from '../stats-words.ts'
import { focusPart } from './parts.ts'
import { useEnabling } from './use-enabling.ts'

function DeleteEndpoint({ endpoint, onClose }: { endpoint: Endpoint; onClose(): void }) {
  const space = useSpace()
  const client = useQueryClient()
  const navigate = useNavigate()
  const remove = async () => {
    await deleteEndpoint(space, endpoint.id)
    // Leaves the page before removing the query: the page would request the deleted endpoint.
    await client.invalidateQueries({ queryKey: endpointsQuery(space).queryKey })
    await navigate({ to: space.paths.endpoints() })
    client.removeQueries({ queryKey: endpointQuery(space, endpoint.id).queryKey })
  }
  const { waiting, url } = endpoint
  return (
    <ConfirmDialog
      title="Delete this endpoint?"
      confirm="Delete endpoint"
      onConfirm={remove}
      onClose={onClose}
    >
      <Text className="breakable mono" mb={8}>
        {url}
      </Text>
      It receives no more events. Its secret, its log of deliveries and its replays are removed
      {waiting > 0 && (
        <>
          , and {formatWaiting(waiting)} waiting {waiting === 1 ? 'delivery is' : 'deliveries are'} never sent
        </>
      )}
      . This cannot be undone.
    </ConfirmDialog>
  )
}

function MoreMenu({ endpoint, onDelete }: { endpoint: Endpoint; onDelete(): void }) {
  const { enable, disable } = useEnabling(endpoint)
  return (
    <Menu>
      <Tooltip label="More actions">
        <Menu.Target>
          <ActionIcon variant="default" size={30} aria-label="More actions">
            <Ellipsis size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
      </Tooltip>
      <Menu.Dropdown>
        {endpoint.isEnabled ? (
          <Menu.Item leftSection={<CircleSlash size={14} aria-hidden />} onClick={disable}>
            Disable endpoint
          </Menu.Item>
        ) : (
          <Menu.Item leftSection={<CircleCheck size={14} aria-hidden />} onClick={enable}>
            Enable endpoint
          </Menu.Item>
        )}
        <Menu.Item color="var(--danger)" leftSection={<Trash2 size={14} aria-hidden />} onClick={onDelete}>
          Delete endpoint
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

export function EndpointActions({ endpoint }: { endpoint: Endpoint }) {
  const [, change] = useEndpointSearch()
  const [isDeleting, setDeleting] = useState(false)
  const edit = () => change({ edit: 1 })
  const test = () => {
    change({ tab: 'test', delivery: undefined })
    focusPart('test')
  }
  useShortcuts([['e', edit]])
  return (
    <Group gap={8}>
      <Button
        className="word-only"
        variant="default"
        leftSection={<Send size={14} aria-hidden />}
        onClick={test}
      >
        Send test event
      </Button>
      <ReplayMenu endpointId={endpoint.id} />
      <Tooltip label="Edit (E)">
        <Button
          className="word-only"
          variant="default"
          leftSection={<Pencil size={14} aria-hidden />}
          onClick={edit}
        >
          Edit
        </Button>
      </Tooltip>
      <MoreMenu endpoint={endpoint} onDelete={() => setDeleting(true)} />
      {isDeleting && <DeleteEndpoint endpoint={endpoint} onClose={() => setDeleting(false)} />}
    </Group>
  )
}
