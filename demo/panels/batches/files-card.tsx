import { formatBytes, formatTime } from "../../format/format.ts";
import { ConfirmButton } from "../../ui/confirm-button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { MoreButton } from "../../ui/more-button.tsx";
import { Card } from "../../ui/panel.tsx";
import { Empty, WhenReady } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { deleteFile, files, saveFile } from "./store.ts";

/** Stored files: input and results. */
export function FilesCard() {
  return (
    <Card title="Files">
      <WhenReady of={files} what="the files">
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon="layers" title="No files yet">
              <p>Input and result files of batches stay here until you delete them.</p>
            </Empty>
          ) : (
            <div class="file-list">
              <Table
                label="List of files"
                columns={["Name", "Purpose", { number: "Size" }, "Stored", { hidden: "Actions" }]}
              >
                {items.map(({ id, filename, purpose, bytes, created_at: createdAt }) => (
                  <tr key={id}>
                    <td class="breakable">{filename}</td>
                    <td>{purpose.replace("_", " ")}</td>
                    <td class="number">{formatBytes(bytes)}</td>
                    <td class="nowrap">{formatTime(createdAt * 1000)}</td>
                    <td>
                      <div class="row row-end">
                        <button
                          type="button"
                          class="icon-button"
                          aria-label={`Save ${filename}`}
                          title={`Save ${filename}`}
                          onClick={() => void saveFile(id, filename)}
                        >
                          <Icon name="download" />
                        </button>
                        <ConfirmButton label={`Delete ${filename}`} onConfirm={() => void deleteFile(id)} />
                      </div>
                    </td>
                  </tr>
                ))}
              </Table>
            </div>
          )
        }
      </WhenReady>
      {files.value?.hasMore ? <MoreButton what="files" onMore={() => void files.showMore()} /> : null}
    </Card>
  );
}
