; Per-user setup, no administrator rights:
;   makensis -NOCD -DSTAGE=folder -DVERSION=0.1.0 -DOUT=setup.exe -DICON=fabricwright.ico installer.nsi
Target amd64-unicode
Unicode true
; QUICK: for trying only, in a third of the time.
!ifdef QUICK
  SetCompressor zlib
!else
  SetCompressor /SOLID lzma
  SetCompressorDictSize 32
!endif
!include MUI2.nsh
!include FileFunc.nsh
!include LogicLib.nsh
!include WinVer.nsh
!define APP "Fabricwright"
!define EXE "Fabricwright.exe"
!define PROGID "Fabricwright.Project.1"
!define TYPE ".fwproj"
!define UNKEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\${APP}"
Name "${APP} ${VERSION}"
OutFile "${OUT}"
RequestExecutionLevel user
InstallDir "$LOCALAPPDATA\Programs\${APP}"
InstallDirRegKey HKCU "Software\${APP}" "InstallDir"
ManifestDPIAware true
ManifestSupportedOS all
BrandingText "${APP} ${VERSION}"
VIProductVersion "${VERSION}.0"
!macro VersionWords LANG TEXT
  VIAddVersionKey /LANG=${LANG} "ProductName" "${APP}"
  VIAddVersionKey /LANG=${LANG} "FileDescription" "${TEXT}"
  VIAddVersionKey /LANG=${LANG} "FileVersion" "${VERSION}"
  VIAddVersionKey /LANG=${LANG} "ProductVersion" "${VERSION}"
  VIAddVersionKey /LANG=${LANG} "LegalCopyright" "Apache License 2.0"
  VIAddVersionKey /LANG=${LANG} "CompanyName" "The Fabricwright authors"
!macroend
!insertmacro VersionWords 1033 "${APP} setup"
!insertmacro VersionWords 2052 "${APP} 安装程序"
!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_ABORTWARNING
!define MUI_FINISHPAGE_RUN "$INSTDIR\${EXE}"
!insertmacro MUI_PAGE_WELCOME
!insertmacro MUI_PAGE_LICENSE "${STAGE}/licenses/NOTICE.txt"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "SimpChinese"
LangString RUNNING ${LANG_ENGLISH} "${APP} is still running. Close it, then choose Retry."
LangString RUNNING ${LANG_SIMPCHINESE} "${APP} 仍在运行。请先关闭它，再点“重试”。"
LangString OLD_WINDOWS ${LANG_ENGLISH} "${APP} needs 64-bit Windows 10 or later."
LangString OLD_WINDOWS ${LANG_SIMPCHINESE} "${APP} 需要 64 位 Windows 10 或更高版本。"
LangString FILE_TYPE ${LANG_ENGLISH} "${APP} project"
LangString FILE_TYPE ${LANG_SIMPCHINESE} "${APP} 项目"

; A file that cannot be opened for writing is in use: the program runs.
!macro WaitClosed UN
Function ${UN}WaitClosed
  again:
  IfFileExists "$INSTDIR\${EXE}" 0 closed
  ClearErrors
  FileOpen $0 "$INSTDIR\${EXE}" a
  ${If} ${Errors}
    ${If} ${Silent}
      SetErrorLevel 5
      Abort
    ${EndIf}
    MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(RUNNING)" IDRETRY again
    Abort
  ${Else}
    FileClose $0
  ${EndIf}
  closed:
FunctionEnd
!macroend
!insertmacro WaitClosed ""
!insertmacro WaitClosed "un."

Function .onInit
  SetRegView 64
  SetShellVarContext current
  ${IfNot} ${AtLeastWin10}
    MessageBox MB_ICONSTOP "$(OLD_WINDOWS)" /SD IDOK
    SetErrorLevel 6
    Abort
  ${EndIf}
FunctionEnd

Function un.onInit
  SetRegView 64
  SetShellVarContext current
FunctionEnd

; Only names of our own are ever deleted: somebody may have chosen a folder that holds other things, too.
!macro RemoveProgram
  RMDir /r "$INSTDIR\_internal"
  RMDir /r "$INSTDIR\licenses"
  Delete "$INSTDIR\${EXE}"
  Delete "$INSTDIR\fabricwright-cli.exe"
  Delete "$INSTDIR\fabricwright-file.ico"
!macroend

Section "-main"
  Call WaitClosed
  !insertmacro RemoveProgram
  SetOutPath "$INSTDIR"
  File /r "${STAGE}/*"
  WriteUninstaller "$INSTDIR\Uninstall.exe"
  WriteRegStr HKCU "Software\${APP}" "InstallDir" "$INSTDIR"
  WriteRegStr HKCU "${UNKEY}" "DisplayName" "${APP}"
  WriteRegStr HKCU "${UNKEY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNKEY}" "Publisher" "The Fabricwright authors"
  WriteRegStr HKCU "${UNKEY}" "DisplayIcon" "$INSTDIR\${EXE},0"
  WriteRegStr HKCU "${UNKEY}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNKEY}" "UninstallString" '"$INSTDIR\Uninstall.exe"'
  WriteRegStr HKCU "${UNKEY}" "QuietUninstallString" '"$INSTDIR\Uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNKEY}" "NoModify" 1
  WriteRegDWORD HKCU "${UNKEY}" "NoRepair" 1
  ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
  WriteRegDWORD HKCU "${UNKEY}" "EstimatedSize" $0
  CreateShortcut "$SMPROGRAMS\${APP}.lnk" "$INSTDIR\${EXE}" "" "$INSTDIR\${EXE}" 0
  WriteRegStr HKCU "Software\Classes\${TYPE}" "" "${PROGID}"
  WriteRegStr HKCU "Software\Classes\${TYPE}\OpenWithProgids" "${PROGID}" ""
  WriteRegStr HKCU "Software\Classes\${PROGID}" "" "$(FILE_TYPE)"
  WriteRegStr HKCU "Software\Classes\${PROGID}\DefaultIcon" "" "$INSTDIR\fabricwright-file.ico,0"
  WriteRegStr HKCU "Software\Classes\${PROGID}\shell\open\command" "" '"$INSTDIR\${EXE}" "%1"'
  WriteRegStr HKCU "Software\Microsoft\Windows\CurrentVersion\App Paths\${EXE}" "" "$INSTDIR\${EXE}"
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
SectionEnd

Section "Uninstall"
  Call un.WaitClosed
  Delete "$SMPROGRAMS\${APP}.lnk"
  !insertmacro RemoveProgram
  Delete "$INSTDIR\Uninstall.exe"
  RMDir "$INSTDIR"
  DeleteRegKey HKCU "${UNKEY}"
  DeleteRegKey HKCU "Software\${APP}"
  ReadRegStr $0 HKCU "Software\Classes\${TYPE}" ""
  ${If} $0 == "${PROGID}"
    DeleteRegValue HKCU "Software\Classes\${TYPE}" ""
  ${EndIf}
  DeleteRegValue HKCU "Software\Classes\${TYPE}\OpenWithProgids" "${PROGID}"
  DeleteRegKey /ifempty HKCU "Software\Classes\${TYPE}\OpenWithProgids"
  DeleteRegKey /ifempty HKCU "Software\Classes\${TYPE}"
  DeleteRegKey HKCU "Software\Classes\${PROGID}"
  DeleteRegKey HKCU "Software\Microsoft\Windows\CurrentVersion\App Paths\${EXE}"
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
SectionEnd
