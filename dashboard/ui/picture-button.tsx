// An avatar that the user can set, change and remove, by click or by drop.
import { FileButton, Loader, Menu, UnstyledButton } from '@mantine/core'
import { Camera, ImageUp, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import classes from './avatar.module.css'
import { Avatar } from './avatar.tsx'
import { useFileDrop } from './use-file-drop.ts'

interface PictureButtonProps {
  /** The name of the person or record. */
  name: string
  src: string | null | undefined
  size: 48 | 64
  isRound: boolean
  isBusy: boolean
  onPick(file: File): void
  onRemove(): void
}

const ACCEPT = 'image/*'

function Veil({ isBusy }: Pick<PictureButtonProps, 'isBusy'>) {
  return (
    <span className={classes.veil} data-shown={isBusy || undefined}>
      {isBusy ? <Loader size={18} color="white" /> : <Camera size={18} aria-hidden />}
    </span>
  )
}

type Face = Pick<PictureButtonProps, 'name' | 'src' | 'size' | 'isRound' | 'isBusy'>

/** @param button props that make it open a menu or a file chooser */
function FaceButton({
  face,
  label,
  isOver,
  ...button
}: { face: Face; label: string; isOver: boolean } & object) {
  const { name, src, size, isRound, isBusy } = face
  return (
    <UnstyledButton
      {...button}
      className={classes.button}
      data-round={isRound || undefined}
      data-over={isOver || undefined}
      aria-label={label}
      aria-busy={isBusy}
      title={label}
      disabled={isBusy}
    >
      <Avatar name={name} src={src} size={size} isRound={isRound} />
      <Veil isBusy={isBusy} />
    </UnstyledButton>
  )
}

/** Opens the file chooser. Browsers allow this only during a click. */
function useChooser(onPick: (file: File) => void) {
  const open = useRef<() => void>(() => undefined)
  const reset = useRef<() => void>(null)
  const chooser = (
    <FileButton
      accept={ACCEPT}
      resetRef={reset}
      inputProps={{ 'aria-label': 'Picture file', tabIndex: -1 }}
      onChange={(file) => {
        if (file) onPick(file)
        // Choosing the same file again must also be a change.
        reset.current?.()
      }}
    >
      {({ onClick }) => {
        open.current = onClick
        return null
      }}
    </FileButton>
  )
  return { chooser, choose: () => open.current() }
}

export function PictureButton({ onPick, onRemove, ...face }: PictureButtonProps) {
  const { name, src, isBusy } = face
  const { chooser, choose } = useChooser(onPick)
  const { isOver, place } = useFileDrop(isBusy ? undefined : ([file]) => file && onPick(file))
  const hasPicture = typeof src === 'string'
  return (
    <span {...place}>
      {chooser}
      {hasPicture ? (
        <Menu position="bottom-start" width={176}>
          <Menu.Target>
            <FaceButton face={face} label={`Picture of ${name}`} isOver={isOver} />
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<ImageUp size={14} aria-hidden />} onClick={choose}>
              Change picture
            </Menu.Item>
            <Menu.Item leftSection={<Trash2 size={14} aria-hidden />} c="var(--danger)" onClick={onRemove}>
              Remove picture
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      ) : (
        <FaceButton face={face} label={`Add a picture of ${name}`} isOver={isOver} {...{ onClick: choose }} />
      )}
    </span>
  )
}
