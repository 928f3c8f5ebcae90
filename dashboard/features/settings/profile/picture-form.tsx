import { Group, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { SessionUser } from '../../../../contract/session.ts'
import { reachable } from '../../../shared/api/file-address.ts'
import { changePicture, usePictureUpload } from '../../../shared/records/edit-picture.tsx'
import { toastError } from '../../../shared/toast.ts'
import { PictureButton } from '../../../ui/picture-button.tsx'
import { changeImage } from '../../identity/api.ts'

/** The user's picture, which is shown next to the name. */
export function PictureForm({ user }: { user: SessionUser }) {
  const client = useQueryClient()
  const show = async (url: string | null) => {
    await changeImage(url)
    await client.invalidateQueries()
  }
  const current = () => Promise.resolve(user.image)
  const change = (after: string | null) => changePicture(after, { subject: 'Your picture', current, show })
  const { isBusy, pick } = usePictureUpload('cover', change)
  const name = user.name || user.email
  return (
    <Group gap="md" wrap="nowrap">
      <PictureButton
        name={name}
        src={user.image && reachable(user.image)}
        size={64}
        isRound
        isBusy={isBusy}
        onPick={(file) => void pick(file)}
        onRemove={() => void change(null).catch(toastError)}
      />
      <Stack gap={2}>
        <Text fw={500}>Picture</Text>
        <Text c="dimmed">Click it, or drop a file on it. Members see it next to your name.</Text>
      </Stack>
    </Group>
  )
}
