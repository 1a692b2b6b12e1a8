;;; emacs.el --- A user of Emacs, without a screen  -*- lexical-binding: t -*-

;;; Commentary:
;; Opens a model, sees a diagnostic, repairs it, formats the model, goes to a definition, renames
;; and checks.  `.ci/editors' runs it.

;;; Code:

(require 'murphi-mode)
(unless (locate-library "eglot")
  (package-initialize))
(require 'eglot)
(require 'flymake)
(require 'xref)

(defun murphi-test-wait (what condition)
  "Wait for CONDITION, which is called WHAT."
  (let ((end (time-add nil 60)))
    (while (not (funcall condition))
      (when (time-less-p end nil) (error "Not within a minute: %s" what))
      (accept-process-output nil 0.05))))

(defun murphi-test-errors ()
  "The errors that are shown."
  (seq-filter (lambda (one) (memq (flymake-diagnostic-type one) '(eglot-error :error)))
              (flymake-diagnostics)))

(defun murphi-test-line (number)
  "The text of the line NUMBER."
  (save-excursion
    (goto-char (point-min))
    (forward-line (1- number))
    (buffer-substring-no-properties (line-beginning-position) (line-end-position))))

(defun murphi-test-assert (found expected)
  "Fail if FOUND is not EXPECTED."
  (unless (equal found expected) (error "Found %S, expected %S" found expected)))

(defun murphi-test-session ()
  "What the user does."
  (let ((file (make-temp-file "murphi" nil ".m")))
    (with-temp-file file
      (insert "var   x: 0..3; -- ≤ 𝕏\n"
              "startstate x := 0; end;\n"
              "rule \"up\" x < 3 ==> y := x + 1; end;\n"
              "rule \"down\" x = 3 ==> x := 0; end;\n"
              "invariant \"small\" x < 3;\n"))
    (find-file file)
    (murphi-test-assert major-mode 'murphi-mode)
    (font-lock-ensure)
    (murphi-test-assert (get-text-property (point-min) 'face) 'font-lock-keyword-face)
    (apply #'eglot--connect (eglot--guess-contact))
    (murphi-test-wait "the server" #'eglot-current-server)
    (flymake-mode 1)
    (flymake-start)
    (murphi-test-wait "the error about y" #'murphi-test-errors)

    (goto-char (point-min))
    (search-forward "y := ")
    (replace-match "x := ")
    (eglot--signal-textDocument/didChange)
    (murphi-test-wait "no error after the repair" (lambda () (null (murphi-test-errors))))

    (eglot-format-buffer)
    (murphi-test-assert (murphi-test-line 1) "var x: 0..3;  -- ≤ 𝕏")

    (goto-char (point-min))
    (search-forward "startstate ")
    (let ((found (xref-backend-definitions 'eglot (xref-backend-identifier-at-point 'eglot))))
      (murphi-test-assert (xref-location-line (xref-item-location (car found))) 1))
    ;; Changes are sent when the user pauses, which nobody does here.
    (eglot--signal-textDocument/didChange)
    (eglot-rename "level")
    (murphi-test-assert (murphi-test-line 5) "invariant \"small\" level < 3;")

    (eglot--signal-textDocument/didChange)
    ;; Not `jsonrpc-request': in Emacs 28 the end of its waiting leaves what arrived together with the
    ;; answer, such as the diagnostics, unread until the next message.
    (let ((server (eglot-current-server))
          (uri (plist-get (eglot--TextDocumentIdentifier) :uri)))
      (jsonrpc-async-request server :workspace/executeCommand
                             (list :command "mcc.check" :arguments (vector uri))))
    (murphi-test-wait
     "the violated invariant"
     (lambda ()
       (seq-some (lambda (one) (string-match-p "small" (flymake-diagnostic-text one)))
                 (murphi-test-errors))))
    (eglot-shutdown (eglot-current-server))))

(condition-case failure
    (progn
      (murphi-test-session)
      (princ (format "Emacs %s, eglot: passed\n" emacs-version)))
  (error
   (princ (format "Emacs %s, eglot: %s\n" emacs-version (error-message-string failure)))
   (kill-emacs 1)))
;;; emacs.el ends here
